import { expect, test } from 'vitest';
import type { Delta, EventDraft } from '../../extension/protocol/events.ts';
import { applyDelta } from '../../webview/state/apply-delta.ts';
import { applyEvent } from '../../webview/state/apply-event.ts';
import { emptyView, type View } from '../../webview/state/parts.ts';
import {
  ask,
  call,
  decision,
  outlineOf,
  partsOf,
  request,
  requestEnd,
  result,
  storedEvents,
  text,
  toolOf,
  viewOf,
} from '../support/panel-events.ts';

const session = 'session-1';
const words = (content: string): Delta => ({ type: 'text_delta', session, text: content });
const thought = (content: string): Delta => ({ type: 'reasoning_delta', session, text: content });

function grow(view: View, ...deltas: Delta[]): void {
  for (const delta of deltas) applyDelta(view, delta);
}

test('a prompt and its answer are parts in the order of the log', () => {
  const view = viewOf(
    { type: 'session_started', version: 1, cwd: '/repo', product: 'test' },
    { type: 'user', content: 'Hello', attachments: ['/repo/a.ts'] },
    { type: 'turn_started', turn: 1 },
    request(1),
    { type: 'reasoning', content: 'Hm.' },
    text('Hi.'),
    requestEnd(1),
    { type: 'turn_ended', turn: 1, reason: 'done' },
  );
  expect(outlineOf(view)).toEqual(['user Hello', 'reasoning Hm.', 'text Hi.']);
  expect(partsOf(view)[0]).toMatchObject({ attachments: ['/repo/a.ts'] });
  expect(view.run).toMatchObject({ busy: false, state: 'idle' });
});

test('a text that grows is replaced by its whole block, in the same part', () => {
  const view = viewOf(request(1));
  grow(view, words('Hel'), words('lo'));
  const [growing] = partsOf(view);
  expect(growing).toMatchObject({ kind: 'text', open: true, text: { content: 'Hello' } });

  for (const event of storedEvents([text('Hello, world')], 2)) applyEvent(view, event);
  expect(partsOf(view)).toEqual([growing]);
  expect(growing).toMatchObject({ open: false, text: { content: 'Hello, world' } });
});

test('thinking and text that follow each other grow as two parts', () => {
  const view = viewOf(request(1));
  grow(view, thought('Let me see.'), words('Here'));
  expect(outlineOf(view)).toEqual(['reasoning Let me see.', 'text Here']);
  expect(partsOf(view)[0]).toMatchObject({ open: false });
});

test('thinking lasts from the event before it, and hidden thinking is no part', () => {
  const view = viewOf(request(1), { type: 'reasoning', content: 'Hm.' }, { type: 'reasoning', content: '' });
  expect(partsOf(view)).toHaveLength(1);
  expect(partsOf(view)[0]).toMatchObject({ milliseconds: 1_000 });
});

test('a part keeps its id whether it was seen growing or read from the log', () => {
  const seen = viewOf(request(1));
  grow(seen, thought('a'), words('b'));
  const read = viewOf(request(1), { type: 'reasoning', content: 'a' }, text('b'));
  expect(partsOf(seen).map(({ id }) => id)).toEqual(partsOf(read).map(({ id }) => id));
});

test('a reply that does not count leaves nothing behind, and its results change nothing', () => {
  const before = [request(1), text('Kept'), call('a', 'read'), requestEnd(1), result('a', {})] as const;
  for (const outcome of ['discarded', 'refused'] as const) {
    const view = viewOf(
      ...before,
      request(2),
      text('Gone'),
      call('b', 'read'),
      requestEnd(2, outcome),
      result('b', {}),
    );
    expect(outlineOf(view)).toEqual(['text Kept', 'tool read done']);
    expect(view.calls).not.toHaveProperty('b');
  }
});

test('a discarded reply leaves the notices that came in between, and a growing text of it goes', () => {
  const view = viewOf(request(1));
  grow(view, words('half'));
  const rest = storedEvents(
    [{ type: 'notice', message: 'Note' }, requestEnd(1, 'discarded'), request(2), text('New')],
    2,
  );
  for (const event of rest) applyEvent(view, event);
  expect(outlineOf(view)).toEqual(['notice Note', 'text New']);
});

test('a cancelled reply keeps its text', () => {
  const view = viewOf(
    request(1),
    { type: 'text', content: 'Half of', partial: true },
    requestEnd(1, 'cancelled'),
  );
  expect(partsOf(view)[0]).toMatchObject({ partial: true, open: false });
});

test('a discarded call id can be used again by the next reply', () => {
  const view = viewOf(
    request(1),
    call('a', 'bash'),
    requestEnd(1, 'discarded'),
    request(2),
    call('a', 'bash'),
  );
  expect(toolOf(view, 'a').request).toBe(2);
});

test('a call that is still written shows what has arrived, and goes if it is never finished', () => {
  const view = viewOf(request(1));
  grow(view, { type: 'tool_input_delta', session, id: 'a', name: 'write', bytes: 12_000 });
  expect(toolOf(view, 'a')).toMatchObject({ state: 'pending', input: undefined, receivedBytes: 12_000 });
  for (const event of storedEvents([requestEnd(1)], 2)) applyEvent(view, event);
  expect(partsOf(view)).toEqual([]);
});

test('a call goes from pending over running to done in one part', () => {
  const view = viewOf(request(1));
  grow(view, { type: 'tool_input_delta', session, id: 'a', name: 'bash', bytes: 5 });
  for (const event of storedEvents([call('a', 'bash', { command: 'ls' })], 2)) applyEvent(view, event);
  expect(toolOf(view, 'a')).toMatchObject({ state: 'pending', input: { command: 'ls' } });
  for (const event of storedEvents([{ type: 'tool_started', id: 'a' }], 3)) applyEvent(view, event);
  expect(toolOf(view, 'a').state).toBe('running');
  grow(view, {
    type: 'tool_output_delta',
    session,
    id: 'a',
    stream: 'stdout',
    text: '\u001b[32mfile\u001b[0m\n',
  });
  expect(toolOf(view, 'a').output.text).toBe('file\n');
  for (const event of storedEvents([result('a', { stdout: 'file\n' }, { added: 1, removed: 2 })], 4))
    applyEvent(view, event);
  expect(toolOf(view, 'a')).toMatchObject({ state: 'done', added: 1, removed: 2, output: { text: '' } });
  expect(partsOf(view)).toHaveLength(1);
});

test.each([
  [{ isError: true }, 'error'],
  [{ isError: true, end: 'denied' }, 'denied'],
  [{ isError: true, end: 'skipped' }, 'skipped'],
  [{ isError: true, end: 'cancelled' }, 'cancelled'],
  [{ isError: true, end: 'interrupted' }, 'cancelled'],
  [{}, 'done'],
] as const)('a result %j makes the call %s', (more, state) => {
  expect(toolOf(viewOf(request(1), call('a', 'bash'), result('a', {}, more)), 'a').state).toBe(state);
});

test('an approval stands until it is answered, and the answer goes to the call', () => {
  const asked = [request(1), call('a', 'bash'), ask('a')] as const;
  expect(viewOf(...asked).approvals).toMatchObject([{ id: 'a', action: { detail: 'npm test' } }]);
  const answered = viewOf(...asked, decision('a', 'allow_once'));
  expect(answered.approvals).toEqual([]);
  expect(toolOf(answered, 'a').permission).toMatchObject({ decision: 'allow_once', by: 'user' });
});

test("an approval is void when the call's result or the end of the run comes", () => {
  const asked = [request(1), call('a', 'bash'), ask('a')] as const;
  expect(viewOf(...asked, result('a', {}, { isError: true, end: 'cancelled' })).approvals).toEqual([]);
  expect(viewOf(...asked, { type: 'turn_ended', turn: 1, reason: 'cancelled' }).approvals).toEqual([]);
});

test('a retry stands until the next request begins', () => {
  const retry = {
    type: 'retry',
    attempt: 1,
    delayMs: 8_000,
    code: 'overloaded',
    message: 'Overloaded.',
  } as const;
  expect(viewOf(request(1), retry).retry).toMatchObject({ delayMs: 8_000, timestamp: 2_000 });
  expect(viewOf(request(1), retry, request(2)).retry).toBeUndefined();
  expect(
    viewOf(request(1), retry, { type: 'turn_ended', turn: 1, reason: 'cancelled' }).retry,
  ).toBeUndefined();
});

test.each([
  ['done', []],
  ['error', []],
  ['max_turns', ['notice max_turns']],
  ['cancelled', ['notice cancelled']],
  ['budget', ['notice budget']],
] as const)('a run that ended with %s is told as %j', (reason, outline) => {
  const view = viewOf({ type: 'turn_started', turn: 1 }, { type: 'turn_ended', turn: 1, reason });
  expect(outlineOf(view)).toEqual(outline);
  expect(view.run).toMatchObject({ busy: false, state: reason === 'error' ? 'error' : 'idle' });
});

test('a plan is brought up to date in its place, and a new run has a new one', () => {
  const plan = (status: 'pending' | 'completed'): EventDraft => ({
    type: 'plan',
    steps: [{ title: 'Read', status }],
  });
  const first = [{ type: 'turn_started', turn: 1 }, plan('pending'), text('…'), plan('completed')] as const;
  expect(outlineOf(viewOf(...first))).toEqual(['plan completed', 'text …']);
  const second = viewOf(...first, { type: 'turn_started', turn: 2 }, plan('pending'));
  expect(outlineOf(second)).toEqual(['plan completed', 'text …', 'plan pending']);
});

test('a status says since when it holds; the same again does not begin anew', () => {
  const thinking = { type: 'status', state: 'thinking', message: 'Waiting' } as const;
  const view = viewOf({ type: 'turn_started', turn: 1 }, thinking, thinking);
  expect(view.run).toEqual({ busy: true, state: 'thinking', message: 'Waiting', since: 2_000 });
});

test('tokens are those of the newest request, cost is the sum, unknown as long as no price is known', () => {
  const usage = (inputTokens: number, cost?: number) =>
    ({
      type: 'usage',
      inputTokens,
      outputTokens: 10,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      ...(cost === undefined ? {} : { cost }),
    }) as const;
  expect(viewOf(usage(100))).toMatchObject({ tokens: 110, cost: undefined });
  expect(viewOf(usage(100, 0.25), usage(200, 0.5))).toMatchObject({ tokens: 210, cost: 0.75 });
});

test('neighbouring reads share a row; anything between them parts it', () => {
  const view = viewOf(
    request(1),
    call('a', 'read'),
    call('b', 'read'),
    result('a', {}),
    call('c', 'read'),
    text('Now the rest'),
    call('d', 'read'),
    call('e', 'bash'),
    call('f', 'bash'),
  );
  const rows = view.sections.flatMap((section) => section.rows.map((row) => row.parts.map(({ id }) => id)));
  expect(rows).toEqual([['a', 'b', 'c'], ['1.1'], ['d'], ['e'], ['f']]);
});

test('each prompt begins a section, and a long one is cut', () => {
  const view = viewOf(
    { type: 'user', content: 'one' },
    ...Array.from({ length: 120 }, (_, index) => text(`${index}`)),
    { type: 'user', content: 'two' },
  );
  expect(view.sections.map((section) => section.rows.length)).toEqual([30, 30, 30, 30, 1, 1]);
});

test('events of calls that nobody knows change nothing', () => {
  const view = viewOf({ type: 'tool_started', id: 'x' }, result('x', {}), decision('x', 'deny'));
  expect(view).toEqual({ ...emptyView(), lastTimestamp: 3_000 });
});

test('names that objects have by themselves are ordinary call ids', () => {
  for (const id of ['__proto__', 'constructor', 'toString']) {
    expect(toolOf(viewOf(request(1), call(id, 'bash')), id).name).toBe('bash');
  }
});
