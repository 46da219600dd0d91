// What the views decide by themselves: the tool card's words, keys of the input, history, saved state, announcements.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { announcementOf } from '../../webview/state/announce.ts';
import { createFrameQueue } from '../../webview/state/frame-queue.ts';
import { createMemory, parseSaved } from '../../webview/state/persist.ts';
import { actionOf, type KeyPress } from '../../webview/views/composer-keys.ts';
import { obstacleTo } from '../../webview/views/obstacle.ts';
import { createPromptHistory } from '../../webview/views/prompt-history.ts';
import { hasFailed, outcomeOf, permissionOf, subjectOf } from '../../webview/views/tool-line.ts';
import { firstLines, inputText, resultText } from '../../webview/views/tool-result.ts';
import {
  ask,
  call,
  decision,
  request,
  result,
  sectionOf,
  storedEvents,
  text,
  toolOf,
} from '../support/panel-events.ts';

const tool = (name: string, input: Record<string, unknown>, ...more: Parameters<typeof sectionOf>) =>
  toolOf(sectionOf(request(1), call('a', name, input), ...more), 'a');

test.each([
  ['read', { path: 'a.ts' }, 'a.ts'],
  ['read', { path: 'a.ts', start_line: 1, end_line: 80 }, 'a.ts 1-80'],
  ['read', { path: 'a.ts', start_line: 5 }, 'a.ts 5-'],
  ['grep', { pattern: 'x*', path: 'src' }, 'x* in src'],
  ['bash', { command: 'cd a\nls' }, 'cd a ⏎ ls'],
  ['move', { source: 'a', destination: 'b' }, 'a → b'],
  ['write', { path: 'b\u202e.ts', content: 'x' }, 'b\\u{202e}.ts'],
  ['other', { count: 1, query: 'words' }, 'words'],
  ['other', { count: 1 }, ''],
  ['read', { path: 1 }, ''],
])('the line of %s %j names %s', (name, input, subject) => {
  expect(subjectOf(tool(name, input))).toBe(subject);
});

test('the outcome says what matters', () => {
  const bash = (value: unknown) => outcomeOf(tool('bash', { command: 'x' }, result('a', value)));
  expect(bash({ stdout: '', stderr: '', exitCode: 0 })).toEqual([]);
  expect(bash({ stdout: '', stderr: '', exitCode: 3 })).toEqual(['exit 3']);
  expect(outcomeOf(tool('grep', {}, result('a', { matches: '1:a\n2:b\n' })))).toEqual(['2 matches']);
  expect(outcomeOf(tool('grep', {}, result('a', { matches: '' })))).toEqual(['no match']);
  expect(outcomeOf(tool('read', {}, result('a', { error: 'x' }, { isError: true })))).toEqual(['failed']);
  expect(permissionOf(tool('bash', {}, ask('a'), decision('a', 'allow_session')))).toBe(
    'allowed in this session',
  );
  expect(
    outcomeOf(tool('bash', {}, decision('a', 'deny'), result('a', {}, { isError: true, end: 'denied' }))),
  ).toEqual(['denied']);
  expect(outcomeOf({ ...tool('write', {}), input: undefined, receivedBytes: 12_345 })).toEqual([
    'receiving 12 kB',
  ]);
  expect(outcomeOf({ ...tool('bash', {}, result('a', { exitCode: 0 })), milliseconds: 4_200 })).toEqual([
    '4.2 s',
  ]);
});

test('a command that exits with another code than 0 has failed, though the tool has not', () => {
  const part = tool('bash', {}, result('a', { stdout: '', stderr: '', exitCode: 1 }));
  expect(part.state).toBe('done');
  expect(hasFailed(part)).toBe(true);
});

test('a result is shown as a person would read it', () => {
  const shown = (name: string, value: unknown) => resultText(tool(name, {}, result('a', value)));
  expect(shown('bash', { stdout: '\u001b[31mout', stderr: 'err', exitCode: 0 })).toBe('out\nerr');
  expect(shown('read', { content: 'text' })).toBe('text');
  expect(shown('list_dir', { entries: 'total 0' })).toBe('total 0');
  expect(shown('edit', { path: 'a', linesChanged: 1 })).toBe('{\n  "path": "a",\n  "linesChanged": 1\n}');
  expect(shown('bash', { error: 'timed out', stdout: 'so far', stderr: '' })).toBe('timed out\nso far');
  expect(shown('read', { error: 'file not found: a' })).toBe('file not found: a');
  expect(resultText({ ...tool('read', {}), result: 'not JSON' })).toBe('not JSON');
  expect(inputText(tool('bash', { command: 'ls' }))).toBe('ls');
  expect(inputText(tool('read', { path: 'a' }))).toBe('{\n  "path": "a"\n}');
});

test('a long text is cut after so many lines, and the rest is counted', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n');
  expect(firstLines(lines(100), 100)).toEqual({ shown: lines(100), more: 0 });
  expect(firstLines(`${lines(100)}\n`, 100)).toEqual({ shown: `${lines(100)}\n`, more: 0 });
  expect(firstLines(lines(250), 100)).toEqual({ shown: lines(100), more: 150 });
});

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
  expect(obstacleTo('a', state, false)).toBe('');
  expect(obstacleTo('a', undefined, false)).toMatch(/^Harness is starting/);
  expect(obstacleTo('a', { ...state, readOnly: true }, false)).toMatch(/^Another window/);
  expect(obstacleTo('a', state, true)).toMatch(/still at work/);
  expect(obstacleTo('x'.repeat(1_000_000), state, false)).toBe('');
  expect(obstacleTo('x'.repeat(1_000_001), state, false)).toMatch(/longer than 1,000,000/);
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
  memory.remember({ draft: 'a' });
  memory.remember({ draft: 'ab', reading: { section: 0, part: '1', offset: 2 } });
  expect(writes).toEqual([]);
  vi.runAllTimers();
  expect(writes).toEqual([
    { session: '', draft: 'ab', reading: { section: 0, part: '1', offset: 2 }, expanded: {} },
  ]);
  expect(parseSaved(writes[0])).toEqual(writes[0]);
  expect(parseSaved({ draft: 1 })).toEqual({ session: '', draft: '', reading: null, expanded: {} });
  memory.flush();
  expect(vi.getTimerCount()).toBe(0);
});

test('whole blocks and questions are announced, single steps are not', () => {
  const announced = storedEvents([
    text('The answer.'),
    { type: 'tool_started', id: 'a' },
    ask('a', 'bash', 'high'),
    { type: 'error', message: 'It failed.', code: 'server', retryable: true },
    { type: 'turn_ended', turn: 1, reason: 'done' },
  ]).map(announcementOf);
  expect(announced).toEqual([
    { text: 'The answer.', urgent: false },
    undefined,
    { text: 'Approval needed, high risk: Run a command in /repo', urgent: true },
    { text: 'It failed.', urgent: true },
    undefined,
  ]);
});
