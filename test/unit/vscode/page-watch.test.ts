import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PageWatch } from '../../../extension/vscode/page-watch.ts';

let done: string[];
let isVisible: boolean;
let watch: PageWatch;

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  isVisible = true;
  watch = new PageWatch({
    ping: () => done.push('ping'),
    rebuild: (attempt) => done.push(`rebuild ${attempt}`),
    isVisible: () => isVisible,
  });
});
afterEach(() => void vi.useRealTimers());

it('asks a page that was silent for long, and is content with an answer', () => {
  watch.sent();
  watch.heard();
  vi.advanceTimersByTime(60_000);
  expect(done).toEqual(['ping']);
  expect(vi.getTimerCount()).toBe(0);
});

it('asks a page that was heard just now a moment later, once', () => {
  watch.heard();
  watch.sent();
  watch.sent();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1_000);
  watch.sent();
  expect(done).toEqual(['ping']);
  watch.heard();
  expect(vi.getTimerCount()).toBe(0);
});

it('rebuilds a page that does not answer, each time in a stronger way, and then leaves it', () => {
  watch.sent();
  vi.advanceTimersByTime(120_000);
  expect(done).toEqual(['ping', 'rebuild 1', 'rebuild 2', 'rebuild 3']);
  expect(vi.getTimerCount()).toBe(0);
});

it('begins anew with a page that came back', () => {
  watch.sent();
  vi.advanceTimersByTime(3_000);
  watch.heard();
  vi.advanceTimersByTime(2_000);
  watch.sent();
  vi.advanceTimersByTime(3_000);
  expect(done).toEqual(['ping', 'rebuild 1', 'ping', 'rebuild 1']);
});

it('lets a hidden page be', () => {
  isVisible = false;
  watch.sent();
  expect(done).toEqual([]);
  isVisible = true;
  watch.sent();
  isVisible = false;
  vi.advanceTimersByTime(60_000);
  expect(done).toEqual(['ping']);
});
