// What the views decide by themselves: the tool card's words, keys of the input, history, saved state, announcements.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { announcementOf } from '../../webview/state/announce.ts';
import { createFrameQueue } from '../../webview/state/frame-queue.ts';
import { createMemory, parseSaved } from '../../webview/state/persist.ts';
import { actionOf, type KeyPress } from '../../webview/views/composer/input/composer-keys.ts';
import { createPromptHistory } from '../../webview/views/composer/prompt-history.ts';
import { obstacleTo } from '../../webview/views/composer/why-not-sendable.ts';
import { ask, storedEvents } from '../support/panel-events.ts';

const caret = { isEmpty: false, isOnFirstRow: () => true, isOnLastRow: () => true };
const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  keyCode: 0,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
});

test.each([
  [key('Enter'), 'send'],
  [key('Enter', { shiftKey: true }), undefined],
  [key('Enter', { ctrlKey: true }), 'break-line'],
  [key('Enter', { metaKey: true }), 'break-line'],
  [key('Enter', { altKey: true }), 'steer'],
  [key('Enter', { altKey: true, shiftKey: true }), undefined],
  [key('Enter', { altKey: true, isComposing: true }), undefined],
  [key('Enter', { isComposing: true }), undefined],
  [key('Enter', { keyCode: 229 }), undefined],
  [key('u', { ctrlKey: true }), 'clear'],
  [key('u', { metaKey: true }), undefined],
  [key('ArrowUp'), 'older-prompt'],
  [key('ArrowUp', { shiftKey: true }), undefined],
  [key('ArrowDown'), 'newer-prompt'],
  [key('PageUp'), 'page-up'],
  [key('PageDown'), 'page-down'],
  [key('?'), undefined],
  [key('a'), undefined],
])('the key %j does %s', (press, action) => {
  expect(actionOf(press, caret)).toBe(action);
});

test('a question mark asks for help only in an empty input', () => {
  expect(actionOf(key('?', { shiftKey: true }), { ...caret, isEmpty: true })).toBe('help');
});

test('arrows move the caret where there is a row to go to', () => {
  const inside = { ...caret, isOnFirstRow: () => false, isOnLastRow: () => false };
  expect(actionOf(key('ArrowUp'), inside)).toBeUndefined();
  expect(actionOf(key('ArrowDown'), inside)).toBeUndefined();
});

test('what stands in the way of a prompt is told before anything is lost', () => {
  const state = { readOnly: false } as PanelState;
  const idle = { isBusy: false, isFork: false };
  expect(obstacleTo('a', state, idle)).toBe('');
  expect(obstacleTo('a', undefined, idle)).toMatch(/^Starting…/);
  expect(obstacleTo('a', { ...state, readOnly: true }, idle)).toMatch(
    /^This session is open in another window/,
  );
  expect(obstacleTo('a', state, { isBusy: true, isFork: false })).toBe('');
  expect(obstacleTo('a', state, { isBusy: true, isFork: true })).toMatch(/still active/);
  expect(obstacleTo('x'.repeat(1_000_000), state, idle)).toBe('');
  expect(obstacleTo('x'.repeat(1_000_001), state, idle)).toMatch(/longer than 1,000,000/);
});

test('history goes back to the oldest and forth to the draft', () => {
  const history = createPromptHistory(() => ['first', 'second']);
  expect(history.newer()).toBeUndefined();
  expect(history.older('draft')).toBe('second');
  expect(history.older('second')).toBe('first');
  expect(history.older('first')).toBeUndefined();
  expect(history.newer()).toBe('second');
  expect(history.newer()).toBe('draft');
  expect(history.newer()).toBeUndefined();
  history.older('draft');
  history.reset();
  expect(history.older('edited')).toBe('second');
  expect(history.newer()).toBe('edited');
});

test('what arrives between two frames is worked off together', () => {
  const frames: (() => void)[] = [];
  const drained: number[][] = [];
  const queue = createFrameQueue<number>(
    (items) => drained.push(items),
    (callback) => {
      frames.push(callback);
      return () => frames.splice(frames.indexOf(callback), 1);
    },
  );
  queue.push(1);
  queue.push(2);
  expect(frames).toHaveLength(1);
  frames.shift()?.();
  queue.push(3);
  queue.dispose();
  expect(drained).toEqual([[1, 2]]);
  expect(frames).toEqual([]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('saved state is written soon, once, and read again; what is not understood counts as nothing', () => {
  const writes: unknown[] = [];
  const memory = createMemory({ readSaved: () => undefined, save: (state) => writes.push(state) });
  const draft = (text: string) => ({ text, attachments: [] });
  memory.remember({ draft: draft('a') });
  memory.remember({ draft: draft('ab'), reading: { section: 0, part: '1', offset: 2 } });
  expect(writes).toEqual([]);
  vi.runAllTimers();
  expect(writes).toEqual([
    { ...parseSaved({}), draft: draft('ab'), reading: { section: 0, part: '1', offset: 2 } },
  ]);
  expect(parseSaved(writes[0])).toEqual(writes[0]);
  expect(parseSaved({ draft: 1 })).toMatchObject({
    session: '',
    draft: draft(''),
    reading: null,
    expanded: {},
  });
  memory.flush();
  expect(vi.getTimerCount()).toBe(0);
});

test('questions and failures are announced, single steps are not', () => {
  const announced = storedEvents([
    { type: 'tool_started', id: 'a' },
    ask('a', 'bash', 'high'),
    { type: 'error', message: 'It failed.', code: 'server', retryable: true },
    { type: 'turn_ended', turn: 1, reason: 'done' },
  ]).map(announcementOf);
  expect(announced).toEqual([
    undefined,
    { text: 'Approval needed, high risk: Run a command in /repo', urgent: true },
    { text: 'It failed.', urgent: true },
    undefined,
  ]);
});
