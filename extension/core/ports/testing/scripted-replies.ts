// Replies for a scripted model, as any provider gives them. A provider's own are in its folder, in `mocks.ts`.
import type { ModelError, ModelEvent, Usage } from '../model.ts';

/** What one request of a script is said to have used. */
export const FLOW_USAGE: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** An answer, which arrives word by word. */
export function textFlow(text: string): ModelEvent[] {
  return [...textBlock(text), ...end('end')];
}

/** A call of a tool, behind words that may be empty. Without an id it gets one by its name. */
export function toolFlow(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { text = '', id = `call_${name}` }: { readonly text?: string; readonly id?: string } = {},
): ModelEvent[] {
  return [...(text === '' ? [] : textBlock(text)), ...toolCall(id, name, input), ...end('tool_calls')];
}

/** What came before a failure, and the failure. */
export function failingFlow(error: ModelError, before: readonly ModelEvent[] = []): ModelEvent[] {
  const kept = before.filter(({ type }) => type !== 'done' && type !== 'usage');
  return [...kept, { type: 'error', error }];
}

export function textBlock(text: string): ModelEvent[] {
  return [
    ...deltas(text).map((part) => ({ type: 'text_delta', text: part }) as const),
    { type: 'text', text },
  ];
}

export function toolCall(id: string, name: string, input: Readonly<Record<string, unknown>>): ModelEvent[] {
  const bytes = new TextEncoder().encode(JSON.stringify(input)).length;
  return [
    { type: 'tool_input_delta', id, name, bytes },
    { type: 'tool_call', id, name, input },
  ];
}

export function end(stop: 'end' | 'tool_calls'): ModelEvent[] {
  return [
    { type: 'usage', usage: FLOW_USAGE },
    { type: 'done', stop },
  ];
}

/** Words with the space behind them. */
export function deltas(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
