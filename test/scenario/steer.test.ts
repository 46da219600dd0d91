import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { createAnthropicProvider } from '../../extension/core/providers/anthropic/anthropic-provider.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { EventDraft, SessionEvent } from '../../extension/protocol/events.ts';
import type { ScriptedReply } from '../../scripts/lib/claude/anthropic-script.ts';
import { playScript } from '../../scripts/lib/claude/fake-anthropic.ts';
import { FullLog } from '../support/full-log.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';

const never = new AbortController().signal;
const SAID = 'Rather the other file';
const saidIn = (events: readonly SessionEvent[]) =>
  events.filter((event) => event.type === 'user' && event.content === SAID).length;

test('what is said to a run skips the calls behind the current one, and the next request carries it', async () => {
  const steer = () => session.steer(SAID, never);
  let delivered: Promise<boolean> | undefined;
  const { session, settings, root } = await scenario({
    answer: () => {
      delivered = steer();
      return { decision: 'allow_once' };
    },
  });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: 'echo one' }], ['write', { path: 'b.txt', content: 'b' }]),
    says('The other one, then.'),
  );
  expect(await session.prompt('Go', settings(model))).toBe('done');
  expect(await delivered).toBe(true);
  expect(model.turns[1]?.messages.at(-1)).toMatchObject({
    role: 'user',
    content: [
      { type: 'tool_result', id: 'call_1', isError: false },
      {
        type: 'tool_result',
        id: 'call_2',
        isError: true,
        content: expect.stringContaining('sent a message'),
      },
      { type: 'text', text: SAID },
    ],
  });
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/steer.jsonl');
});

test('what is said while the last answer comes is the next request: the run goes on', async () => {
  const { session, settings } = await scenario();
  let delivered: Promise<boolean> | undefined;
  const model = new ScriptedModel(function* (): Iterable<ModelEvent> {
    yield { type: 'text_delta', text: 'Do' };
    delivered = session.steer(SAID, never);
    yield* says('Done.');
  }, says('That too.'));
  expect(await session.prompt('Go', settings(model))).toBe('done');
  expect(await delivered).toBe(true);
  expect(model.turns[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(session.events.filter((event) => event.type === 'turn_ended')).toHaveLength(1);
});

test('nothing is put into a reply that pauses', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(
    function* (): Iterable<ModelEvent> {
      void session.steer(SAID, never);
      yield* says('Half', 'pause');
    },
    says('whole.'),
    says('And that.'),
  );
  await session.prompt('Go', settings(model));
  expect(model.turns[1]?.messages.at(-1)?.role).toBe('assistant');
  expect(model.turns[2]?.messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: SAID }] });
});

test('it has the turns of a prompt', async () => {
  const { session, settings } = await scenario();
  const look = (first: number) => calls(first, ['list_dir', { path: '.' }]);
  const model = new ScriptedModel(
    look(1),
    function* (): Iterable<ModelEvent> {
      void session.steer(SAID, never);
      yield* look(2);
    },
    look(3),
    says('Done.'),
  );
  expect(await session.prompt('Go', settings(model, { maxTurns: 2 }))).toBe('done');
});

test('a message that is withdrawn, or said to nobody, is not delivered', async () => {
  const { session, settings } = await scenario();
  expect(await session.steer(SAID, never)).toBe(false);
  const withdrawing = new AbortController();
  let delivered: Promise<boolean> | undefined;
  const model = new ScriptedModel(function* (): Iterable<ModelEvent> {
    delivered = session.steer(SAID, withdrawing.signal);
    withdrawing.abort();
    yield* says('Done.');
  });
  await session.prompt('Go', settings(model));
  expect(await delivered).toBe(false);
  expect(await session.steer(SAID, never)).toBe(false);
  expect(saidIn(session.events)).toBe(0);
});

test('a refused reply takes back what was said in its run, and leaves no call without a result', async () => {
  const { session, settings } = await scenario({
    answer: () => {
      void session.steer(SAID, never);
      return { decision: 'allow_once' };
    },
  });
  const refused: ModelEvent[] = [{ type: 'done', stop: 'refusal' }];
  const model = new ScriptedModel(calls(1, ['bash', { command: 'true' }]), refused);
  expect(await session.prompt('Go', settings(model))).toBe('error');
  const next = new ScriptedModel(says('Hello.'));
  await session.prompt('Again', settings(next));
  expect(next.turns[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Again' }] }]);
});

test('what is said while the log takes nothing is delivered all the same', async () => {
  const { openLog, ports, settings } = await scenario();
  const log = new FullLog('1', ports.clock);
  const session = await openLog(log);
  let delivered: Promise<boolean> | undefined;
  const model = new ScriptedModel(function* (): Iterable<ModelEvent> {
    log.isFull = true;
    delivered = session.steer(SAID, never);
    yield* says('Done.');
  }, says('Hello again.'));
  expect(await session.prompt('Go', settings(model))).toBe('done');
  expect(await delivered).toBe(true);
  expect(saidIn(session.events)).toBe(1);
  expectWellFormed(session.events);
});

const REPLIES: readonly ScriptedReply[] = [
  {
    blocks: [
      { type: 'thinking', thinking: 'Look first.' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', name: 'list_dir', input: { path: '.' } },
      { type: 'tool_use', name: 'bash', input: { command: 'echo one' } },
      { type: 'tool_use', name: 'list_dir', input: { path: '.' } },
    ],
    chunkSize: 20,
  },
  { blocks: [{ type: 'text', text: 'It is done, I think.' }], chunkSize: 8 },
];

/** Says something and cancels when so many events and deltas were seen, with a server that refuses what the real one would. */
async function steeredAt(steerAt: number, cancelAt: number) {
  const server = await playScript(
    (_request, index) => REPLIES[index] ?? { blocks: [{ type: 'text', text: 'Yes.' }] },
  );
  onTestFinished(() => server.close());
  const provider = createAnthropicProvider({ apiKey: 'k', clock: systemClock, baseUrl: server.url });
  const { session, settings } = await scenario();
  let seen = 0;
  let delivered: Promise<boolean> | undefined;
  const count = () => {
    if (seen === steerAt) delivered = session.steer(SAID, never);
    if (seen === cancelAt) session.cancel();
    seen += 1;
  };
  const stop = session.subscribe({ onEvents: (events) => events.forEach(count), onDelta: count });
  const run = settings(provider, { model: 'claude-opus-5-5' });
  const reason = await session.prompt('Go', run);
  stop();
  expectWellFormed(session.events);
  expect(saidIn(session.events)).toBe((await delivered) ? 1 : 0);
  expect(await session.prompt('And now?', run)).toBe('done');
  expect(server.violations).toEqual([]);
  return { reason, delivered: await delivered, reached: seen > steerAt };
}

test('said at any instant, it reaches the model or comes back, and no request is refused', async () => {
  let reached = true;
  for (let instant = 0; reached; instant++) {
    const run = await steeredAt(instant, -1);
    reached = run.reached;
    expect(run.reason, `said at ${instant}`).toBe('done');
  }
}, 400_000);

test('said and cancelled at any two instants, it is in the log or comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.nat(40), async (steerAt, cancelAt) => {
      await steeredAt(steerAt, cancelAt);
    }),
    { numRuns: 40 },
  );
}, 400_000);

test('a run to which something was said opens again, killed at any event', async () => {
  const { session, openLog, settings, store } = await scenario({
    answer: () => {
      void session.steer(SAID, never);
      return { decision: 'allow_once' };
    },
  });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: 'echo one' }], ['list_dir', { path: '.' }]),
    says('Done.'),
  );
  await session.prompt('Go', settings(model));
  for (let kept = 1; kept <= session.events.length; kept++) {
    const fresh = await store.create({ cwd: '/', product: 'test' });
    await fresh.append(
      session.events
        .slice(1, kept)
        .map(
          ({ seq: _seq, prev: _prev, session: _session, timestamp: _time, ...draft }) => draft as EventDraft,
        ),
    );
    await fresh.close();
    const reopened = await openLog(await store.open(fresh.id));
    expectWellFormed(reopened.events);
    const next = new ScriptedModel(says('Welcome back.'));
    expect(await reopened.prompt('On', settings(next)), `killed after ${kept} events`).toBe('done');
    const open = next.turns[0]?.messages.filter(({ role }) => role === 'assistant') ?? [];
    expect(open.length).toBeLessThanOrEqual(2);
    await reopened.close();
  }
});
