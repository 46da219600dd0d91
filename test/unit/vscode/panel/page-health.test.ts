import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PageHealth } from '../../../../extension/vscode/panel/page-health.ts';

let done: string[];
let isVisible: boolean;
/** VS Code passes on what is sent to the page. */
let passesOn: boolean;
let watch: PageHealth;

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  isVisible = true;
  passesOn = true;
  watch = new PageHealth({
    ping: async () => {
      done.push('ping');
      if (!passesOn) await new Promise(() => {});
    },
    rebuild: (attempt) => done.push(`rebuild ${attempt}`),
    isVisible: () => isVisible,
  });
});
afterEach(() => void vi.useRealTimers());

/** A page that is used, and answers at once. */
async function converse(): Promise<void> {
  for (let time = 0; time < 20; time += 1) {
    watch.check();
    await pass(200);
    watch.noteMessage();
  }
  done = [];
}

it('asks a page that was silent for long, and is content with an answer', async () => {
  watch.check();
  watch.noteMessage();
  await pass(60_000);
  expect(done).toEqual(['ping']);
  expect(vi.getTimerCount()).toBe(0);
});

it('asks a page that was heard just now a moment later, once', async () => {
  watch.noteMessage();
  watch.check();
  watch.check();
  expect(done).toEqual([]);
  await pass(200);
  watch.check();
  expect(done).toEqual(['ping']);
  watch.noteMessage();
  expect(vi.getTimerCount()).toBe(0);
});

it('finds within 600 ms that a page has died which answered quickly', async () => {
  await converse();
  watch.check();
  await pass(650);
  expect(done).toEqual(['ping', 'ping', 'rebuild 1']);
});

it('is the more patient the slower a page answers', async () => {
  await converse();
  watch.check();
  await pass(200);
  await pass(190);
  watch.noteMessage();
  watch.check();
  await pass(200 + 1_500);
  watch.noteMessage();
  await pass(60_000);
  expect(done).toEqual(['ping', 'ping']);
});

it('does not take a busy window or a slow connection for a dead page', async () => {
  await converse();
  passesOn = false;
  watch.check();
  await pass(9_000);
  expect(done).toEqual(['ping']);
  watch.noteMessage();
  await pass(60_000);
  expect(done).toEqual(['ping']);
});

it('rebuilds a page that does not answer, and leaves it after the third time', async () => {
  watch.check();
  await pass(120_000);
  expect(done).toEqual(['ping', 'ping', 'rebuild 1', 'rebuild 2', 'rebuild 3']);
  expect(vi.getTimerCount()).toBe(0);
});

it('rebuilds a new page that never says anything', async () => {
  watch.expect();
  await pass(20_000);
  expect(done).toEqual(['rebuild 1']);
});

it('lets a new page draw for seconds before it answers its first question', async () => {
  await converse();
  watch.expect();
  await pass(300);
  watch.noteMessage();
  watch.check();
  await pass(200 + 5_900);
  watch.noteMessage();
  await pass(60_000);
  expect(done).toEqual(['ping', 'ping']);
});

it('begins anew with a page that came back', async () => {
  await converse();
  watch.check();
  await pass(1_000);
  watch.noteMessage();
  watch.check();
  await pass(200 + 6_000);
  expect(done).toEqual(['ping', 'ping', 'rebuild 1', 'ping', 'ping', 'rebuild 1']);
});

it('lets a hidden page be', async () => {
  isVisible = false;
  watch.check();
  expect(done).toEqual([]);
  isVisible = true;
  watch.check();
  isVisible = false;
  await pass(60_000);
  expect(done).toEqual(['ping', 'ping']);
});
