import { describe, expect, test } from 'vitest';
import type { ModelError } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import type { ScriptedReply } from '../../../extension/core/ports/testing/scripted-model.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { failingFlow, textFlow, toolFlow } from '../../../extension/core/ports/testing/scripted-replies.ts';
import { withThinkingFlow } from '../../../extension/core/providers/anthropic/mocks.ts';
import { catalog } from '../../../extension/core/providers/catalog.ts';
import type { HarnessEvent } from '../../../extension/core/sdk/events.ts';
import { createHarness } from '../../../extension/core/sdk/harness.ts';
import { createMock, type MockOptions } from '../../../extension/core/sdk/mock.ts';
import type { ToolHandler } from '../../../extension/core/sdk/tool-loop.ts';
import type { HarnessTurn } from '../../../extension/core/sdk/turn.ts';

const TURN: HarnessTurn = {
  model: 'scripted/m',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Do it.' }] }],
};
const OVERLOADED: ModelError = { kind: 'overloaded', message: 'Busy.', retryable: true };
const READ = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } } as const;

const mock = (replies: readonly ScriptedReply[], options: Partial<MockOptions> = {}) =>
  createMock({ replies, clock: new ManualClock(5), ...options });
const signal = () => new AbortController().signal;

async function eventsOf(events: AsyncIterable<HarnessEvent>): Promise<HarnessEvent[]> {
  const collected: HarnessEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

function reading(contents: Readonly<Record<string, string>>): ToolHandler & { readonly handled: string[] } {
  const handled: string[] = [];
  return {
    handled,
    available: () => [READ],
    handle: async ({ id, input }) => {
      handled.push(id);
      const content = contents[String(input.path)];
      if (content === undefined) throw new Error('no such file');
      return { content };
    },
  };
}

describe('one turn', () => {
  test('gives events in their order, with times, and ends with done', async () => {
    const events = await eventsOf(
      mock([withThinkingFlow({ thinking: 'Hm.', text: 'Well done.' })]).streamTurn(TURN, signal()),
    );
    expect(events.map(({ type }) => type)).toEqual([
      ...['thinking_delta', 'thinking', 'text_delta', 'text_delta', 'text', 'usage', 'done'],
    ]);
    expect(new Set(events.map(({ timestamp }) => timestamp))).toEqual(new Set([5]));
  });

  test('collected, it has the words, and the conversation for the next turn', async () => {
    const harness = mock([
      withThinkingFlow({ thinking: 'Hm.', text: 'I look.', call: { name: 'read', input: { path: 'a' } } }),
    ]);
    const result = await harness.streamAndCollect({ ...TURN, tools: [READ] }, signal());
    expect(result).toMatchObject({
      ...{ text: 'I look.', thinking: 'Hm.', stop: 'tool_calls', usage: { inputTokens: 100 } },
      calls: [{ name: 'read', input: { path: 'a' } }],
    });
    expect(result.messages[0]).toBe(TURN.messages[0]);
    expect(result.messages[1]?.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_call']);
    expect(harness.turns[0]).toMatchObject({ model: 'm', tools: [READ], maxTokens: 32_000 });
  });

  test('a failure is its last event, and nothing of the reply stays', async () => {
    const harness = mock([failingFlow(OVERLOADED, toolFlow('read', {}, { text: 'Wait' }))]);
    const events: HarnessEvent[] = await eventsOf(harness.streamTurn(TURN, signal()));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'overloaded', retryable: true } });
    expect(events.filter(({ type }) => type === 'tool_result' || type === 'done')).toEqual([]);
    const again = mock([failingFlow(OVERLOADED, textFlow('Wait'))]);
    expect((await again.streamAndCollect(TURN, signal())).messages).toEqual(TURN.messages);
  });

  test('after an abort it ends without done or error', async () => {
    const stop = new AbortController();
    const harness = mock([
      function* () {
        yield { type: 'text_delta', text: 'a' };
        stop.abort();
        yield { type: 'text', text: 'ab' };
      },
    ]);
    const events = await eventsOf(harness.streamTurn(TURN, stop.signal));
    expect(events.map(({ type }) => type)).toEqual(['text_delta']);
  });

  test('who wants no more of it stops the model', async () => {
    let isStopped = false;
    const harness = mock([
      async function* (_turn, given) {
        yield { type: 'text_delta', text: 'a' };
        await new Promise<void>((resolve) => given.addEventListener('abort', () => resolve()));
        isStopped = true;
      },
    ]);
    for await (const _ of harness.streamTurn(TURN, signal())) break;
    expect(isStopped).toBe(true);
  });

  test('effort, limit, tools and session of a turn reach the model', async () => {
    const harness = mock([textFlow('One.'), textFlow('Two.')]);
    const metadata = { session: 's-1' };
    const asked = { ...TURN, effort: 'high', maxTokens: 99, tools: [READ], metadata } as const;
    const reached = { effort: 'high', maxTokens: 99, tools: [{ name: 'read' }], session: 's-1' };
    await harness.streamAndCollect(asked, signal());
    await harness.runToolLoop(asked, reading({}), { signal: signal() });
    expect(harness.turns).toMatchObject([reached, reached]);
  });

  test('surroundings are told before the newest words, and again only where they have changed', async () => {
    const harness = mock([textFlow('One.'), textFlow('Two.'), textFlow('Three.')]);
    const surroundings = {
      environment: {
        folders: [{ name: 'a', path: '/a', branch: 'main' }],
        shell: 'sh',
        platform: 'linux',
        now: 0,
      },
      permissions: { mode: 'ask', trusted: true },
      userContext: [{ folder: '/a', holdsFor: '/a', path: '/a/AGENTS.md', text: 'Be brief.', isCut: false }],
      instructions: 'Speak German.',
    } as const;
    const first = await harness.streamAndCollect({ ...TURN, ...surroundings }, signal());
    const next = { role: 'user', content: [{ type: 'text', text: 'More.' }] } as const;
    const second = { ...TURN, ...surroundings, messages: [...first.messages, next] };
    const { messages } = await harness.streamAndCollect(second, signal());
    const changed = {
      ...second,
      messages: [...messages, next],
      permissions: { mode: 'plan', trusted: true },
    } as const;
    await harness.streamAndCollect(changed, signal());
    const told = harness.turns.map((turn) =>
      turn.messages.at(-1)?.content.map((block) => (block.type === 'context' ? block.kind : block.type)),
    );
    expect(told).toEqual([
      ['permissions', 'instructions', 'environment', 'text'],
      ['text'],
      ['permissions', 'collaboration', 'text'],
    ]);
    expect(harness.turns[0]?.system).toMatch(/^You are Harness[\s\S]*Speak German\.$/);
    expect(JSON.stringify(harness.turns[0]?.messages)).toMatch(/git_branch=[\s\S]*main/);
    expect(harness.turns[1]?.messages.slice(0, 2)).toEqual(first.messages);
  });
});

describe('the tool loop', () => {
  test('answers every call, and goes on until the model asks for no more', async () => {
    const harness = mock([
      toolFlow('read', { path: 'a' }),
      toolFlow('read', { path: 'b' }),
      textFlow('Both read.'),
    ]);
    const handler = reading({ a: 'A', b: 'B' });
    const events: HarnessEvent[] = [];
    const result = await harness.runToolLoop(TURN, handler, {
      signal: signal(),
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ text: 'Both read.', stop: 'end', usage: { inputTokens: 300 } });
    expect(result.calls).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'tool_result')).toMatchObject([
      { id: 'call_read', content: 'A', isError: false },
      // The model gave the same id again.
      { id: 'call_read_2', content: 'B', isError: false },
    ]);
    expect(events.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1);
    expect(result.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(harness.turns[1]?.tools).toEqual([READ]);
  });

  test('a call that fails is an error that the model reads, and skips the rest of its reply', async () => {
    const calls = [
      ...toolFlow('read', { path: 'x' }, { id: '1' }).slice(0, -2),
      ...toolFlow('read', { path: 'a' }, { id: '2' }),
    ];
    const harness = mock([calls, textFlow('Sorry.')]);
    const handler = reading({ a: 'A' });
    const { messages } = await harness.runToolLoop(TURN, handler, { signal: signal() });
    expect(handler.handled).toEqual(['1']);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', id: '1', content: 'no such file', isError: true },
      { type: 'tool_result', id: '2', content: 'skipped: read before it failed', isError: true },
    ]);
  });

  test('an unknown tool and arguments that are no JSON are answered without the handler', async () => {
    const invalid = { type: 'tool_call', id: '2', name: 'read', input: {}, invalid: 'cut' } as const;
    const harness = mock([
      toolFlow('fly', {}),
      [invalid, { type: 'done', stop: 'tool_calls' }],
      textFlow('Oh.'),
    ]);
    const handler = reading({});
    const { messages } = await harness.runToolLoop(TURN, handler, { signal: signal() });
    expect(handler.handled).toEqual([]);
    expect(JSON.stringify(messages)).toMatch(
      /unknown tool: fly; there are read[\s\S]*invalid input for read: cut/,
    );
  });

  test('an overloaded model is asked again, after a while, and what came of it is taken back', async () => {
    const clock = new ManualClock();
    const harness = mock([failingFlow(OVERLOADED, textFlow('Wai')), textFlow('Here.')], { clock });
    const events: HarnessEvent[] = [];
    const running = harness.runToolLoop(TURN, reading({}), {
      signal: signal(),
      onEvent: (event) => events.push(event),
    });
    while (!events.some(({ type }) => type === 'retry') || clock.sleeping === 0) await Promise.resolve();
    clock.advance(60_000);
    const result = await running;
    expect(result.text).toBe('Here.');
    expect(result.messages).toHaveLength(2);
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ attempt: 1, message: 'Busy.' });
  });

  test('it stops at its limit, with every call answered', async () => {
    const harness = mock([
      toolFlow('read', { path: 'a' }),
      toolFlow('read', { path: 'a' }),
      textFlow('Never.'),
    ]);
    const result = await harness.runToolLoop(TURN, reading({ a: 'A' }), { signal: signal(), maxSteps: 2 });
    expect(result.stop).toBe('max_steps');
    expect(result.messages.at(-1)?.content).toMatchObject([{ type: 'tool_result', content: 'A' }]);
    expect(harness.unused).toBe(1);
  });

  test('an abort in a call ends it quietly, with every call answered', async () => {
    const stop = new AbortController();
    const calls = [
      ...toolFlow('read', { path: 'a' }, { id: '1' }).slice(0, -2),
      ...toolFlow('read', {}, { id: '2' }),
    ];
    const handler: ToolHandler = {
      available: () => [READ],
      handle: async () => {
        stop.abort();
        throw new Error('stopped');
      },
    };
    const events: HarnessEvent[] = [];
    const harness = mock([calls]);
    const options = { signal: stop.signal, onEvent: (event: HarnessEvent) => events.push(event) };
    const result = await harness.runToolLoop(TURN, handler, options);
    expect(events.filter(({ type }) => type === 'done' || type === 'error')).toEqual([]);
    expect(result.messages.at(-1)?.content.map((block) => 'id' in block && block.id)).toEqual(['1', '2']);
  });

  test('update_plan gives a plan, and is answered where the handler does not know it', async () => {
    const plan = [
      { step: 'Look', status: 'completed' },
      { step: 'Act', status: 'in_progress' },
    ];
    const spec = { name: 'update_plan', description: 'Plan.', inputSchema: { type: 'object' } };
    const harness = mock([toolFlow('update_plan', { plan }), textFlow('Done.')]);
    const events: HarnessEvent[] = [];
    const options = { signal: signal(), onEvent: (event: HarnessEvent) => events.push(event) };
    await harness.runToolLoop({ ...TURN, tools: [spec] }, reading({}), options);
    expect(events.find(({ type }) => type === 'plan_update')).toMatchObject({
      steps: [
        { title: 'Look', status: 'completed' },
        { title: 'Act', status: 'in_progress' },
      ],
    });
    expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
      content: 'Plan updated',
      isError: false,
    });
  });
});

test('a mock waits between events, and fails where it is told to', async () => {
  const clock = new ManualClock();
  const failure = { after: 1, error: OVERLOADED };
  const harness = mock([textFlow('One two.')], { clock, eventDelayMs: 100, failure });
  const running = harness.streamAndCollect(TURN, signal());
  while (clock.sleeping === 0) await Promise.resolve();
  clock.advance(100);
  expect((await running).error?.kind).toBe('overloaded');
});

test('a harness knows the names of its own models', () => {
  const harness = (name: string) => {
    const entry = catalog.find((candidate) => candidate.name === name);
    if (!entry) throw new Error(name);
    return createHarness(new ScriptedModel(), entry, { clock: new ManualClock() });
  };
  const claude = harness('anthropic');
  expect(claude.expandAlias('sonnet')).toMatch(/^claude-sonnet-/);
  expect(claude.expandAlias('anthropic/claude-x')).toBe('claude-x');
  expect(claude.expandAlias('gpt')).toBe('gpt');
  expect(['opus', 'claude-9', 'anthropic/x'].map(claude.matchesModel)).toEqual([true, true, true]);
  expect(['gpt', 'gpt-5', 'anthropic/', 'ollama/claude-9'].map(claude.matchesModel)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(harness('codex').matchesModel('gpt')).toBe(true);
});
