// What a logger writes of a turn can be read and played again, and no secret is in it.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import type { TraceRecord, TraceSink } from '../../../extension/core/ports/trace-sink.ts';
import { parseLog, repliesOf } from '../../../extension/core/trace/replay-trace.ts';
import { withLogger } from '../../../extension/core/trace/trace-provider.ts';
import { loggedRun } from '../../../extension/core/trace/trace-run.ts';
import { collect } from '../../support/wire/neutral.ts';
import { modelEvents } from '../sdk/model-events.ts';

const TURN: Turn = {
  model: 'm',
  system: 'Work.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
  tools: [],
  maxTokens: 100,
};

class MemorySink implements TraceSink {
  readonly turns: TraceRecord[][] = [];

  get text(): string {
    return this.turns
      .flat()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('');
  }

  open() {
    const records: TraceRecord[] = [];
    this.turns.push(records);
    return { write: (record: TraceRecord) => void records.push(record), close: () => {} };
  }
}

function ask(model: ModelProvider, signal = new AbortController().signal): Promise<ModelEvent[]> {
  return collect(model.streamTurn(TURN, signal));
}

async function logged(events: readonly ModelEvent[], secrets: readonly string[] = []): Promise<string> {
  const sink = new MemorySink();
  const options = { sink, clock: new ManualClock(), secrets: () => secrets };
  expect(await ask(withLogger(new ScriptedModel(events), options))).toEqual(events);
  return sink.text;
}

test('any events are the same after the log was read and played', async () => {
  await fc.assert(
    fc.asyncProperty(modelEvents, async (events) => {
      const turn = parseLog(await logged(events));
      expect(turn.problems).toEqual([]);
      expect(turn.turn).toEqual(TURN);
      expect(await ask(new ScriptedModel(...repliesOf([turn])))).toEqual(events);
    }),
  );
});

test('a log that was cut anywhere gives what is intact, says what is missing, and ends with an error', async () => {
  const events: ModelEvent[] = [
    { type: 'text_delta', text: 'Häl' },
    { type: 'text', text: 'Hälfte 👍' },
    { type: 'tool_call', id: '1', name: 'read', input: { path: 'a' } },
    { type: 'done', stop: 'tool_calls' },
  ];
  const text = await logged(events);
  for (let at = 0; at < text.length - 1; at++) {
    const turn = parseLog(text.slice(0, at));
    expect(turn.problems.length, `cut at ${at}`).toBeGreaterThan(0);
    const played = await ask(new ScriptedModel(...repliesOf([turn])));
    const whole = turn.events.length === events.length;
    expect(played.slice(0, turn.events.length)).toEqual(events.slice(0, turn.events.length));
    expect(played.at(-1)?.type).toBe(whole ? 'done' : 'error');
  }
});

test('damaged lines are named, and the others stay', async () => {
  const lines = (
    await logged([
      { type: 'text', text: 'a' },
      { type: 'done', stop: 'end' },
    ])
  ).split('\n');
  lines.splice(1, 1, 'nonsense', '{"type":"event","kind":"text","latency_ms":0}', '[]', '{"type":"later"}');
  const { events, problems } = parseLog(lines.join('\n'));
  expect(events.map(({ event }) => event.type)).toEqual(['done']);
  expect(problems).toEqual([
    'Line 2 is damaged and was skipped.',
    'Line 3 does not belong to a turn’s log and was skipped.',
    'Line 4 does not belong to a turn’s log and was skipped.',
    'Line 5 does not belong to a turn’s log and was skipped.',
  ]);
});

test('the times between events are kept, and played where a clock is given', async () => {
  const clock = new ManualClock();
  const sink = new MemorySink();
  const model = new ScriptedModel(function* () {
    clock.advance(250);
    yield { type: 'text', text: 'a' };
    clock.advance(40);
    yield {
      type: 'usage',
      usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
    };
    yield { type: 'done', stop: 'end' };
  });
  await ask(withLogger(model, { sink, clock }));
  const turn = parseLog(sink.text);
  expect(turn.events.map(({ latencyMs }) => latencyMs)).toEqual([250, 40, 0]);
  expect(turn.end).toMatchObject({ outcome: 'done', totalMs: 290, usage: { inputTokens: 3 } });
  const playing = ask(new ScriptedModel(...repliesOf([turn], clock)));
  const began = clock.now();
  while (clock.now() < began + 290) {
    await Promise.resolve();
    if (clock.sleeping > 0) clock.advance(10);
  }
  expect(await playing).toHaveLength(3);
});

test('a turn that was stopped is logged as such, with what it had', async () => {
  const stop = new AbortController();
  const sink = new MemorySink();
  const model = new ScriptedModel(function* () {
    yield { type: 'text_delta', text: 'a' };
    stop.abort();
    yield { type: 'text', text: 'ab' };
  });
  await ask(withLogger(model, { sink, clock: new ManualClock() }), stop.signal);
  expect(parseLog(sink.text)).toMatchObject({
    end: { outcome: 'aborted' },
    events: [{ event: { text: 'a' } }],
  });
});

test('switched off, nothing is written; the level is asked at each turn', async () => {
  const sink = new MemorySink();
  let level: 'off' | 'events' = 'off';
  const reply = [{ type: 'done', stop: 'end' }] as const;
  const model = withLogger(new ScriptedModel(reply, reply), {
    sink,
    clock: new ManualClock(),
    level: () => level,
  });
  await ask(model);
  expect(sink.turns).toEqual([]);
  level = 'events';
  await ask(model);
  expect(sink.turns).toHaveLength(1);
});

test('a run is logged whole: what its provider has stays, and its fallback is logged too', async () => {
  const sink = new MemorySink();
  const run = (name: string) => ({
    ...{ provider: { ...silent(name), tools: ['apply_patch'] }, model: name, system: '' },
    ...{ maxTokens: 1, maxTurns: 1, maxToolCallsPerTurn: 1, timeoutMs: 1 },
  });
  const settings = { ...run('first'), fallback: async () => run('second') };
  const logged = loggedRun(settings, { sink, clock: new ManualClock() });
  expect(logged.provider.tools).toEqual(['apply_patch']);
  await ask(logged.provider);
  await ask((await logged.fallback?.())?.provider ?? silent('none'));
  expect(sink.turns.map(([start]) => start)).toMatchObject([{ provider: 'first' }, { provider: 'second' }]);
});

function silent(name: string): ModelProvider {
  return {
    name,
    streamTurn: async function* () {
      yield { type: 'done', stop: 'end' };
    },
    listModels: async () => [],
  };
}

const CANARY = 'kanarie/Schlüssel+"7"-00112233';

describe('a secret', () => {
  const bytes = Buffer.from(CANARY);
  test.each<readonly [string, string]>([
    ['plain', CANARY],
    ['in an address', encodeURIComponent(CANARY)],
    ['in JSON', JSON.stringify(CANARY)],
    ...[0, 1, 2].map((before): readonly [string, string] => {
      const around = Buffer.concat([Buffer.from('ab'.slice(0, before)), bytes, Buffer.from(':x')]);
      return [`in Base64 behind ${before} bytes`, around.toString('base64')];
    }),
    ['in Base64 of addresses', bytes.toString('base64url')],
  ])('%s is in no log', async (_, form) => {
    const events: ModelEvent[] = [
      { type: 'text', text: `before ${form} behind` },
      { type: 'tool_call', id: '1', name: 'bash', input: { [form]: [form] } },
      { type: 'done', stop: 'end' },
    ];
    const text = await logged(events, [CANARY]);
    const core = form.slice(6, -6);
    expect(JSON.stringify(parseLog(text))).not.toContain(JSON.stringify(core).slice(1, -1));
    expect(text).toContain('behind');
  });

  test('in pieces, wherever it is split, is in no log', async () => {
    for (let at = 1; at < CANARY.length; at++) {
      const parts = [
        'so ',
        `it: ${CANARY.slice(0, at)}`,
        CANARY.slice(at, at + 1),
        `${CANARY.slice(at + 1)}. K`,
        'ept',
      ];
      const events = parts.map((text): ModelEvent => ({ type: 'text_delta', text }));
      const turn = parseLog(await logged([...events, { type: 'done', stop: 'end' }], [CANARY]));
      const whole = turn.events.map(({ event }) => ('text' in event ? event.text : '')).join('');
      expect(whole).toMatch(/^so it: ~0\w{5}~+\.\. Kept$/);
      expect(whole).toHaveLength(`so it: ${CANARY}. Kept`.length);
    }
  });

  test('in pieces of a reply is in no log of the wire', async () => {
    const sink = new MemorySink();
    const pieces = ['It is ', CANARY.slice(0, 9), CANARY.slice(9, 20), `${CANARY.slice(20)}.`];
    const model: ModelProvider = {
      ...silent('wired'),
      streamTurn: async function* (_turn, _signal, hooks) {
        for (const text of pieces) {
          hooks?.onWire?.(new TextEncoder().encode(`data: ${JSON.stringify({ delta: { text } })}\n\n`));
          hooks?.onRawEvent?.({ delta: { text } });
          yield { type: 'text_delta', text };
        }
        yield { type: 'done', stop: 'end' };
      },
    };
    const options = { sink, clock: new ManualClock(), level: () => 'wire' as const, secrets: () => [CANARY] };
    await ask(withLogger(model, options));
    for (const piece of pieces.slice(1)) expect(sink.text).not.toContain(JSON.stringify(piece).slice(1, -1));
    expect(sink.text).toContain('It is ');
    expect(parseLog(sink.text).events).toHaveLength(5);
  });

  test('a log without one keeps its pieces as they were', async () => {
    const events = [...'kanarienvogel kanarie'].map((text): ModelEvent => ({ type: 'text_delta', text }));
    const turn = parseLog(await logged(events, [CANARY]));
    expect(turn.events.map(({ event }) => event)).toEqual(events);
  });
});
