import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelEvent, ModelProvider } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { isRunning, isWritten } from '../support/is-running.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const TALK: ModelEvent[] = [
  { type: 'reasoning_delta', text: 'hm' },
  { type: 'reasoning', text: 'hm' },
  { type: 'text_delta', text: 'I will ' },
  { type: 'text_delta', text: 'look.' },
  { type: 'text', text: 'I will look.' },
  { type: 'tool_input_delta', id: 'call_1', name: 'bash', bytes: 3 },
  { type: 'tool_call', id: 'call_1', name: 'bash', input: { command: 'echo one; echo two' } },
  { type: 'tool_call', id: 'call_2', name: 'write', input: { path: 'b.txt', content: 'b' } },
  { type: 'tool_call', id: 'call_3', name: 'list_dir', input: { path: '.' } },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 } },
  { type: 'done', stop: 'tool_calls' },
];

/** Cancels when so many events and deltas were seen; resolves with how the run ended. */
async function cancelledAt(instant: number) {
  const { session, settings } = await scenario();
  let seen = 0;
  const count = () => {
    if (seen++ === instant) session.cancel();
  };
  const stop = session.subscribe({ onEvents: (events) => events.forEach(count), onDelta: count });
  const reason = await session.prompt('Go', settings(new ScriptedModel(TALK, says('Done.'))));
  stop();
  return { session, settings, reason, reached: seen > instant };
}

test('a cancel at any event or delta leaves a valid log and an idle session that goes on', async () => {
  let reached = true;
  for (let instant = 0; reached; instant++) {
    const run = await cancelledAt(instant);
    reached = run.reached;
    expect(run.session.busy).toBe(false);
    expectWellFormed(run.session.events);
    expect(run.session.events.at(-1)).toMatchObject({ type: 'turn_ended', reason: run.reason });
    const next = new ScriptedModel(says('Hello again.'));
    expect(await run.session.prompt('Again', run.settings(next)), `cancelled at ${instant}`).toBe('done');
    expectAnswered(next);
  }
}, 400_000);

test('a click on Stop is heard also where a whole reply has arrived already', async () => {
  const { session, settings, clock, deltas } = await scenario();
  clock.yield = () => new Promise((resolve) => setTimeout(resolve));
  const flood: ModelProvider = {
    name: 'flood',
    listModels: async () => [],
    async *streamTurn(_turn, signal) {
      setTimeout(() => session.cancel());
      for (let words = 0; words < 1_000 && !signal.aborted; words++) {
        clock.advance(1);
        yield { type: 'text_delta', text: 'word ' };
      }
      if (!signal.aborted) yield* says('Done.');
    },
  };
  expect(await session.prompt('Go', settings(flood))).toBe('cancelled');
  expect(deltas.length).toBeLessThan(100);
});

function expectAnswered(model: ScriptedModel): void {
  for (const [index, message] of (model.turns[0]?.messages ?? []).entries()) {
    if (message.role !== 'assistant') continue;
    const wanted = message.content.filter((block) => block.type === 'tool_call').map((block) => block.id);
    const next = model.turns[0]?.messages[index + 1];
    const given =
      next?.role === 'user'
        ? next.content.filter((block) => block.type === 'tool_result').map((block) => block.id)
        : [];
    expect(given).toEqual(wanted);
  }
}

test('a cancel ends a running command and its children, and tells the model, and people in colour', async () => {
  const { session, settings, root } = await scenario();
  const model = new ScriptedModel(
    calls(1, ['bash', { command: "printf '\\033[31mred'; echo $$ > pid; sleep 300 & wait" }]),
  );
  const run = session.prompt('Wait', settings(model));
  await until(() => isWritten(join(root, 'pid')));
  session.cancel();
  expect(await run).toBe('cancelled');
  expect(await isRunning(join(root, 'pid'))).toBe(false);
  expect(session.events.findLast((event) => event.type === 'tool_result')).toMatchObject({
    end: 'cancelled',
    isError: true,
    shown: { start: '\x1b[31mred' },
  });
  expectWellFormed(session.events);
});

test('a cancel reaches a waiting approval, and nothing runs', async () => {
  const { session, settings, root } = await scenario({
    answer: (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ decision: 'deny', reason: 'stopped' }), {
          once: true,
        });
        session.cancel();
      }),
  });
  await writeFile(join(root, 'a.txt'), 'a');
  const model = new ScriptedModel(calls(1, ['write', { path: 'a.txt', content: 'b' }]));
  expect(await session.prompt('Write', settings(model))).toBe('cancelled');
  expect(session.events.some((event) => event.type === 'tool_started')).toBe(false);
  expect(session.events.some((event) => event.type === 'permission')).toBe(false);
  expectWellFormed(session.events);
});

test('a session that is closed in the middle of a run says so', async () => {
  const { session, settings } = await scenario({
    answer: (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ decision: 'deny', reason: 'stopped' }), {
          once: true,
        });
        void session.close();
      }),
  });
  const model = new ScriptedModel(calls(1, ['write', { path: 'a.txt', content: 'b' }]));
  expect(await session.prompt('Write', settings(model))).toBe('cancelled');
  expect(session.events.find((event) => event.type === 'notice')?.message).toContain('closed while');
  expectWellFormed(session.events);
});

test('a cancel when nothing runs does nothing', async () => {
  const { session, settings } = await scenario();
  session.cancel();
  expect(await session.prompt('Hi', settings(new ScriptedModel(says('Hello.'))))).toBe('done');
});

const event = fc.constantFrom<ModelEvent>(
  { type: 'text_delta', text: 'word 😀' },
  { type: 'text', text: 'word' },
  { type: 'reasoning', text: 'hm' },
  { type: 'tool_call', id: 'x', name: 'list_dir', input: { path: '.' } },
  { type: 'tool_call', id: 'y', name: 'fly', input: {} },
  { type: 'tool_call', id: 'z', name: 'read', input: {}, invalid: 'no object' },
);
const ending = fc.constantFrom<ModelEvent | undefined>(
  { type: 'done', stop: 'end' },
  { type: 'done', stop: 'tool_calls' },
  { type: 'done', stop: 'length', cutCall: 'write' },
  { type: 'done', stop: 'refusal' },
  { type: 'done', stop: 'context_exceeded' },
  { type: 'error', error: { kind: 'server', message: 'Oh.', retryable: false } },
  undefined,
);

test('whatever a model does, the log is well formed and the session usable', async () => {
  const { session, settings, clock } = await scenario();
  session.subscribe({
    onEvents: (events) => {
      // By then the retry waits for the clock.
      if (events.some(({ type }) => type === 'retry')) setImmediate(() => clock.advance(60_000));
    },
  });
  let id = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(event, { maxLength: 4 }), ending), { minLength: 1, maxLength: 3 }),
      async (replies) => {
        const script = replies.map(([events, end]) =>
          [...events, ...(end ? [end] : [])].map((item) =>
            item.type === 'tool_call' ? { ...item, id: `${item.id}${++id}` } : item,
          ),
        );
        const model = new ScriptedModel(...script, ...Array.from({ length: 12 }, () => says('Enough.')));
        await session.prompt('Go', settings(model));
        for (const turn of model.turns)
          expect(turn.messages.at(-1)?.role === 'user' || replies.length > 0).toBe(true);
        expect(session.busy).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
  expectWellFormed(session.events);
}, 400_000);
