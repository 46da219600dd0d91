import { expect, test } from 'vitest';
import { textOutput } from '../../../extension/headless/output.ts';
import type { Delta } from '../../../extension/protocol/delta.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { screen } from './terminal.ts';

const ENDED = { type: 'request_ended', request: 1, outcome: 'completed', stop: 'end' } as const;
const REQUEST = { type: 'request_started', request: 1, provider: 'p', model: 'm' } as const;
const DISCARDED = { ...ENDED, outcome: 'discarded', stop: 'server' } as const;
const delta = (text: string): Delta => ({ type: 'text_delta', session: 's', text });
const text = (content: string): EventDraft => ({ type: 'text', content });

/** What is shown of it on a terminal, or in a pipe. */
async function shown(
  isTTY: boolean,
  items: readonly (EventDraft | Delta)[],
  { prompts = false, ...size }: { prompts?: boolean; columns?: number; rows?: number } = {},
) {
  const [stdout, stderr] = [screen(isTTY), screen(isTTY)];
  const output = textOutput({ stdout: Object.assign(stdout.stream, size), stderr: stderr.stream, prompts });
  const place = { timestamp: 0, session: 's', seq: 1, prev: '' };
  for (const item of items) {
    if (item.type.endsWith('_delta')) output.onDelta?.(item as Delta);
    else output.onEvents?.([{ ...(item as EventDraft), ...place }]);
  }
  return { stdout: stdout.shown(), stderr: stderr.shown() };
}

test('on a terminal the words come as they are streamed', async () => {
  const { stdout } = await shown(true, [delta('Hel'), delta('lo.')]);
  expect(stdout).toBe('Hello.');
  expect((await shown(true, [delta('Hello.'), text('Hello.'), ENDED])).stdout).toBe('Hello.\n');
  expect((await shown(true, [text('Whole.'), ENDED])).stdout).toBe('Whole.\n');
});

test('on a terminal, words that do not count end their line, and those that follow are complete', async () => {
  const items = [delta('Par'), DISCARDED, text('Whole.'), ENDED];
  expect(await shown(true, items)).toEqual({
    stdout: 'Par\nWhole.\n',
    stderr: 'Discarded the incomplete reply.\n',
  });
});

test.each([
  ['a line', ['Half of'], '\r\u001b[J'],
  ['a block and a line', ['One\ntwo', text('One\ntwo'), 'Three'], '\u001b[2A\r\u001b[J'],
  ['a line that takes three rows', ['x'.repeat(25)], '\u001b[2A\r\u001b[J'],
])('a terminal takes back the words of a reply that does not count: %s', async (_what, pieces, erased) => {
  const items = pieces.map((piece) => (typeof piece === 'string' ? delta(piece) : piece));
  const { stdout } = await shown(true, [REQUEST, ...items, DISCARDED, delta('Whole.')], {
    columns: 10,
    rows: 9,
  });
  expect(stdout.endsWith(`${erased}Whole.`)).toBe(true);
});

test('a terminal keeps words that have left its screen, and those of a cancelled reply', async () => {
  const size = { columns: 10, rows: 2 };
  const long = [REQUEST, delta('x\n'.repeat(5)), DISCARDED];
  expect((await shown(true, long, size)).stdout).toBe(`${'x\n'.repeat(5)}\n`);
  const cancelled = [REQUEST, delta('I was'), { ...DISCARDED, outcome: 'cancelled' } as const];
  expect((await shown(true, cancelled, size)).stdout).toBe('I was\n');
});

test.each([true, false])(
  'calls of a reply that does not count are not told (terminal: %s)',
  async (isTTY) => {
    const call = { type: 'tool_call', id: '1', name: 'read', input: { path: 'a.ts' } } as const;
    const unrun = { type: 'tool_result', id: '1', result: '{"error":"not run"}', isError: true } as const;
    const note = { type: 'notice', message: 'Slow.' } as const;
    const discarded = await shown(isTTY, [REQUEST, call, note, unrun, DISCARDED]);
    expect(discarded.stderr).toBe('Slow.\n');
    const kept = await shown(isTTY, [REQUEST, call, ENDED, unrun]);
    expect(kept.stderr).toBe('▸ read a.ts\n  ✗ not run\n');
  },
);

test('of a request that came to no words, nothing is taken back', async () => {
  expect(await shown(true, [DISCARDED, text('Whole.'), ENDED])).toEqual({ stdout: 'Whole.\n', stderr: '' });
});

test('in a pipe the words come when they count, and only then', async () => {
  expect((await shown(false, [delta('Hel'), text('Hello.')])).stdout).toBe('');
  expect((await shown(false, [delta('Hello.'), text('Hello.'), ENDED])).stdout).toBe('Hello.\n');
  expect((await shown(false, [text('Partial'), DISCARDED, text('Whole.'), ENDED])).stdout).toBe('Whole.\n');
});

test('a cancelled reply counts as far as it came', async () => {
  const cancelled = { ...ENDED, outcome: 'cancelled' } as const;
  expect((await shown(false, [text('I was'), cancelled])).stdout).toBe('I was\n');
});

test('a terminal gets no control characters, a pipe gets what the model wrote', async () => {
  expect((await shown(true, [delta('\u001b[2J\tx\n')])).stdout).toBe('\\u{1b}[2J\tx\n');
  expect((await shown(false, [text('\u001b[2J'), ENDED])).stdout).toBe('\u001b[2J\n');
});

test.each<[string, EventDraft, string]>([
  ['a call', { type: 'tool_call', id: '1', name: 'read', input: { path: 'a.ts' } }, '▸ read a.ts\n'],
  [
    'an error that is no JSON',
    { type: 'tool_result', id: '1', result: 'bro\nken', isError: true },
    '  ✗ bro\nken\n',
  ],
  [
    'a call with an action',
    { type: 'tool_call', id: '1', name: 'code', input: { action: 'hover', path: 'a.ts' } },
    '▸ code hover a.ts\n',
  ],
  [
    'a result with problems',
    { type: 'tool_result', id: '1', result: '{"problems":[{},{}],"moreProblems":1}', isError: false },
    '  3 problems in the editor\n',
  ],
  ['a result', { type: 'tool_result', id: '1', result: '{"content":""}', isError: false }, ''],
  [
    'a failure',
    { type: 'tool_result', id: '1', result: '{"error":"no \\u0007"}', isError: true },
    '  ✗ no \\u{7}\n',
  ],
  [
    'a retry',
    { type: 'retry', attempt: 1, delayMs: 1200, code: 'x', message: 'Busy.' },
    'Busy. Trying again in 2 s.\n',
  ],
  ['an error', { type: 'error', message: 'No key.', code: 'no_key', retryable: false }, 'No key.\n'],
  [
    'a full context window, with what the command line has',
    {
      type: 'error',
      message:
        'The conversation is too long for “m”. Use “Harness: Compact Conversation”, start a new session, …',
      code: 'context_overflow',
      retryable: false,
    },
    'The conversation is too long for the model. Start a new session without --session and --continue, or choose a model with a larger context window by --model.\n',
  ],
  ['a notice', { type: 'notice', message: 'Mended.' }, 'Mended.\n'],
  [
    'the turn limit',
    { type: 'turn_ended', turn: 1, reason: 'max_turns' },
    'Stopped at the turn limit. To continue, run again with --continue.\n',
  ],
  ['an end', { type: 'turn_ended', turn: 1, reason: 'done' }, ''],
  ['a prompt', { type: 'user', content: 'Hi' }, ''],
])('%s is told on standard error alone', async (_name, event, stderr) => {
  expect(await shown(false, [event])).toEqual({ stdout: '', stderr });
});

test.each([true, false])(
  'prompts stand among the words where they are wanted (terminal: %s)',
  async (isTTY) => {
    const items: EventDraft[] = [
      { type: 'user', content: 'One\ntwo' },
      text('First.'),
      ENDED,
      { type: 'user', content: 'Three' },
      text('Second.'),
      ENDED,
    ];
    expect((await shown(isTTY, items, { prompts: true })).stdout).toBe(
      '> One\n> two\nFirst.\n> Three\nSecond.\n',
    );
  },
);

test('a reply without an end, of a process that was killed, stands before what came after it', async () => {
  const items = [text('Half.'), { type: 'user', content: 'Go on' } as const, text('Whole.'), ENDED];
  expect((await shown(false, items, { prompts: true })).stdout).toBe('Half.\n> Go on\nWhole.\n');
});
