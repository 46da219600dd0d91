import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { applyDelta } from '../../webview/state/apply-delta.ts';
import { applyEvent } from '../../webview/state/apply-event.ts';
import { emptySection, type Section } from '../../webview/state/parts.ts';
import {
  ask,
  call,
  decision,
  outlineOf,
  partsOf,
  request,
  requestEnd,
  result,
  sectionOf,
  storedEvents,
  text,
  toolOf,
} from '../support/panel-events.ts';

const session = 'session-1';
const words = (content: string): Delta => ({ type: 'text_delta', session, text: content });
const thought = (content: string): Delta => ({ type: 'reasoning_delta', session, text: content });

function grow(section: Section, ...deltas: Delta[]): void {
  for (const delta of deltas) applyDelta(section, delta);
}

test('a prompt and its answer are parts in the order of the log', () => {
  const section = sectionOf(
    { type: 'session_started', version: 1, cwd: '/repo', product: 'test' },
    { type: 'user', content: 'Hello', attachments: ['/repo/a.ts'] },
    { type: 'turn_started', turn: 1 },
    request(1),
    { type: 'reasoning', content: 'Hm.' },
    text('Hi.'),
    requestEnd(1),
    { type: 'turn_ended', turn: 1, reason: 'done' },
  );
  expect(outlineOf(section)).toEqual(['user Hello', 'reasoning Hm.', 'text Hi.']);
  expect(partsOf(section)[0]).toMatchObject({ attachments: ['/repo/a.ts'] });
});

test('a text that grows is replaced by its whole block, in the same part', () => {
  const section = sectionOf(request(1));
  grow(section, words('Hel'), words('lo'));
  const [growing] = partsOf(section);
  expect(growing).toMatchObject({ kind: 'text', open: true, text: { content: 'Hello' } });

  for (const event of storedEvents([text('Hello, world')], 2)) applyEvent(section, event);
  expect(partsOf(section)).toEqual([growing]);
  expect(growing).toMatchObject({ open: false, text: { content: 'Hello, world' } });
});

test('thinking and text that follow each other grow as two parts', () => {
  const section = sectionOf(request(1));
  grow(section, thought('Let me see.'), words('Here'));
  expect(outlineOf(section)).toEqual(['reasoning Let me see.', 'text Here']);
  expect(partsOf(section)[0]).toMatchObject({ open: false });
});

test('thinking lasts from the event before it, and hidden thinking is no part', () => {
  const section = sectionOf(
    request(1),
    { type: 'reasoning', content: 'Hm.' },
    { type: 'reasoning', content: '' },
  );
  expect(partsOf(section)).toHaveLength(1);
  expect(partsOf(section)[0]).toMatchObject({ milliseconds: 1_000 });
});

const usage = (reasoningTokens?: number): EventDraft => ({
  type: 'usage',
  inputTokens: 10,
  outputTokens: 900,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...(reasoningTokens !== undefined && { reasoningTokens }),
});

test('the last thinking of a reply has the tokens of all of it, where they are reported', () => {
  const think = { type: 'reasoning', content: 'Hm.' } as const;
  const tokensOf = (...drafts: EventDraft[]) =>
    partsOf(sectionOf(...drafts)).flatMap((part) => (part.kind === 'reasoning' ? [part.tokens] : []));
  const reply = (number: number, count?: number): EventDraft[] => [
    request(number),
    think,
    text('a'),
    think,
    usage(count),
    requestEnd(number),
  ];
  expect(tokensOf(...reply(1, 800), ...reply(2, 30))).toEqual([undefined, 800, undefined, 30]);
  expect(tokensOf(...reply(1), ...reply(2, 0))).toEqual(new Array(4).fill(undefined));
  // A later reply without visible thinking takes nothing from an earlier one.
  expect(tokensOf(...reply(1, 800), request(2), text('b'), usage(5))).toEqual([undefined, 800]);
});

test('a part keeps its id whether it was seen growing or read from the log', () => {
  const seen = sectionOf(request(1));
  grow(seen, thought('a'), words('b'));
  const read = sectionOf(request(1), { type: 'reasoning', content: 'a' }, text('b'));
  expect(partsOf(seen).map(({ id }) => id)).toEqual(partsOf(read).map(({ id }) => id));
});

test('a reply that does not count leaves nothing behind, and its results change nothing', () => {
  const before = [request(1), text('Kept'), call('a', 'read'), requestEnd(1), result('a', {})] as const;
  for (const outcome of ['discarded', 'refused'] as const) {
    const section = sectionOf(
      ...before,
      request(2),
      text('Gone'),
      call('b', 'read'),
      requestEnd(2, outcome),
      result('b', {}),
    );
    expect(outlineOf(section)).toEqual(['text Kept', 'tool read done']);
    expect(section.calls).not.toHaveProperty('b');
  }
});

test('a discarded reply leaves the notices that came in between, and a growing text of it goes', () => {
  const section = sectionOf(request(1));
  grow(section, words('half'));
  const rest = storedEvents(
    [{ type: 'notice', message: 'Note' }, requestEnd(1, 'discarded'), request(2), text('New')],
    2,
  );
  for (const event of rest) applyEvent(section, event);
  expect(outlineOf(section)).toEqual(['notice Note', 'text New']);
});

test('a cancelled reply keeps its text', () => {
  const section = sectionOf(
    request(1),
    { type: 'text', content: 'Half of', partial: true },
    requestEnd(1, 'cancelled'),
  );
  expect(partsOf(section)[0]).toMatchObject({ partial: true, open: false });
});

test('of thinking that a stop cuts off nothing stays: the log does not have it', () => {
  const section = sectionOf(request(1), text('Said'));
  grow(section, thought('half'));
  expect(outlineOf(section)).toEqual(['text Said', 'reasoning half']);
  for (const event of storedEvents([requestEnd(1, 'cancelled')], 3)) applyEvent(section, event);
  expect(outlineOf(section)).toEqual(['text Said']);
  expect(section.open).toBeUndefined();
});

test('a discarded call id can be used again by the next reply', () => {
  const section = sectionOf(
    request(1),
    call('a', 'bash'),
    requestEnd(1, 'discarded'),
    request(2),
    call('a', 'bash'),
  );
  expect(toolOf(section, 'a').request).toBe(2);
});

test('a call that is still written shows what has arrived, and goes if it is never finished', () => {
  const section = sectionOf(request(1));
  grow(section, { type: 'tool_input_delta', session, id: 'a', name: 'write', bytes: 12_000 });
  expect(toolOf(section, 'a')).toMatchObject({ state: 'pending', input: undefined, receivedBytes: 12_000 });
  for (const event of storedEvents([requestEnd(1)], 2)) applyEvent(section, event);
  expect(partsOf(section)).toEqual([]);
});

test('a call goes from pending over running to done in one part', () => {
  const section = sectionOf(request(1));
  grow(section, { type: 'tool_input_delta', session, id: 'a', name: 'bash', bytes: 5 });
  for (const event of storedEvents([call('a', 'bash', { command: 'ls' })], 2)) applyEvent(section, event);
  expect(toolOf(section, 'a')).toMatchObject({ state: 'pending', input: { command: 'ls' } });
  for (const event of storedEvents([{ type: 'tool_started', id: 'a' }], 3)) applyEvent(section, event);
  expect(toolOf(section, 'a').state).toBe('running');
  grow(section, {
    type: 'tool_output_delta',
    session,
    id: 'a',
    stream: 'stdout',
    text: '\u001b[32mfile\u001b[0m\n',
  });
  expect(toolOf(section, 'a').output.text).toBe('\u001b[32mfile\n');
  for (const event of storedEvents([result('a', { stdout: 'file\n' }, { added: 1, removed: 2 })], 4))
    applyEvent(section, event);
  expect(toolOf(section, 'a')).toMatchObject({ state: 'done', added: 1, removed: 2, output: { text: '' } });
  expect(partsOf(section)).toHaveLength(1);
});

test.each([
  [{ isError: true }, 'error'],
  [{ isError: true, end: 'denied' }, 'denied'],
  [{ isError: true, end: 'skipped' }, 'skipped'],
  [{ isError: true, end: 'cancelled' }, 'cancelled'],
  [{ isError: true, end: 'interrupted' }, 'cancelled'],
  [{}, 'done'],
] as const)('a result %j makes the call %s', (more, state) => {
  expect(toolOf(sectionOf(request(1), call('a', 'bash'), result('a', {}, more)), 'a').state).toBe(state);
});

test('the answer to an approval goes to the call', () => {
  const answered = sectionOf(request(1), call('a', 'bash'), ask('a'), decision('a', 'allow_once'));
  expect(toolOf(answered, 'a').permission).toMatchObject({ decision: 'allow_once', by: 'user' });
});

test.each([
  ['done', []],
  ['error', []],
  ['max_turns', ['notice max_turns']],
  ['cancelled', ['notice cancelled']],
  ['budget', ['notice budget']],
] as const)('a run that ended with %s is told as %j', (reason, outline) => {
  const section = sectionOf({ type: 'turn_started', turn: 1 }, { type: 'turn_ended', turn: 1, reason });
  expect(outlineOf(section)).toEqual(outline);
});

test('a plan is brought up to date in its place, and a new run has a new one', () => {
  const plan = (status: 'pending' | 'completed'): EventDraft => ({
    type: 'plan',
    steps: [{ title: 'Read', status }],
  });
  const first = [{ type: 'turn_started', turn: 1 }, plan('pending'), text('…'), plan('completed')] as const;
  expect(outlineOf(sectionOf(...first))).toEqual(['plan completed', 'text …']);
  const second = sectionOf(...first, { type: 'turn_started', turn: 2 }, plan('pending'));
  expect(outlineOf(second)).toEqual(['plan completed', 'text …', 'plan pending']);
});

test('neighbouring reads share a row; anything between them parts it', () => {
  const section = sectionOf(
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
  const rows = section.rows.map((row) => row.parts.map(({ id }) => id));
  expect(rows).toEqual([['a', 'b', 'c'], ['1.1'], ['d'], ['e'], ['f']]);
});

test('events of calls that nobody knows change nothing', () => {
  const section = sectionOf({ type: 'tool_started', id: 'x' }, result('x', {}), decision('x', 'deny'));
  expect(section).toEqual({ ...emptySection(), lastTimestamp: 3_000 });
});

test('names that objects have by themselves are ordinary call ids', () => {
  for (const id of ['__proto__', 'constructor', 'toString']) {
    expect(toolOf(sectionOf(request(1), call(id, 'bash')), id).name).toBe('bash');
  }
});
