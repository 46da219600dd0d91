// The demo model: a built-in script. It answers if no key is set, always says that it is a demo, and runs the
// real tools on a small real task.
import { PROMPT_MARK } from '../../log/conversation-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Message, ModelEvent, ModelProvider, Turn } from '../../ports/model.ts';
import { type CallResult, type DemoStep, demoScript } from './demo-script.ts';

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 };

export interface DemoOptions {
  readonly clock: Clock;
  /** Pause after each word, so that the user sees the text arrive. */
  readonly wordDelayMs: number;
}

export function createDemoProvider(options: DemoOptions): ModelProvider {
  return {
    name: 'demo',
    streamTurn: (turn, signal) => play(turn, options, signal),
    listModels: async () => [{ id: 'demo', name: 'Demo (scripted, no AI)' }],
  };
}

async function* play(turn: Turn, options: DemoOptions, signal: AbortSignal): AsyncIterable<ModelEvent> {
  // Only a request for a summary has no tools.
  const step = turn.tools.length === 0 ? demoSummary(turn.messages) : stepAfter(exchangesOf(turn.messages));
  if (step.reasoning) {
    yield* words('reasoning_delta', step.reasoning, options, signal);
    yield { type: 'reasoning', text: step.reasoning };
  }
  yield* words('text_delta', step.text, options, signal);
  if (signal.aborted) return;
  yield { type: 'text', text: step.text };
  for (const [index, call] of step.calls.entries()) {
    const id = `demo_${turn.messages.length}_${index}`;
    yield { type: 'tool_input_delta', id, name: call.name, bytes: JSON.stringify(call.input).length };
    yield { type: 'tool_call', id, ...call };
  }
  yield { type: 'usage', usage: NO_TOKENS };
  yield { type: 'done', stop: step.calls.length > 0 ? 'tool_calls' : 'end' };
}

async function* words(
  type: 'text_delta' | 'reasoning_delta',
  text: string,
  options: DemoOptions,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  for (const word of text.match(/\s*\S+\s*/g) ?? []) {
    if (signal.aborted) return;
    yield { type, text: word };
    if (options.wordDelayMs > 0) await options.clock.sleep(options.wordDelayMs, signal);
  }
}

/** Runs the script from its start with the results so far. Its next request is the reply. */
function stepAfter(exchanges: readonly (readonly CallResult[])[]): DemoStep {
  const script = demoScript();
  let next = script.next([]);
  for (const results of exchanges) {
    if (next.done) break;
    next = script.next(results);
  }
  return next.value;
}

/** The results of each reply since the newest prompt. */
function exchangesOf(messages: readonly Message[]): CallResult[][] {
  const start = messages.findLastIndex(
    (message) => message.role === 'user' && message.content[0]?.type !== 'tool_result',
  );
  return messages
    .slice(start + 1)
    .filter((message) => message.role === 'user')
    .map((message) =>
      message.content
        .filter((block) => block.type === 'tool_result')
        .map(({ isError, content }) => ({ isError, text: content })),
    );
}

/** A summary without a model: the prompts in the conversation text that the request contains. */
export function demoSummary(messages: readonly Message[]): DemoStep {
  const lines = messages
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []))
    .filter((line) => line.startsWith(PROMPT_MARK))
    .map((line) => `- ${line.slice(PROMPT_MARK.length)}`);
  const text = `This is a demo: no model has summarized anything. The conversation had these prompts:\n\n${lines.join('\n')}`;
  return { text, calls: [] };
}
