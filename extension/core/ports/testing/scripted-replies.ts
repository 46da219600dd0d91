// Scripted replies that any provider could give. Those of one provider are in its folder, in `mocks.ts`.
import type { ModelError, ModelEvent, Usage } from '../model.ts';

/** The usage that each scripted request reports. */
export const FLOW_USAGE: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** An answer that arrives word by word. */
export function textFlow(text: string): ModelEvent[] {
  return [...textBlock(text), ...end('end')];
}

/** A tool call, after text that may be empty. The default id is made from the name. */
export function toolFlow(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { text = '', id = `call_${name}` }: { readonly text?: string; readonly id?: string } = {},
): ModelEvent[] {
  return [...(text === '' ? [] : textBlock(text)), ...toolCall(id, name, input), ...end('tool_calls')];
}

/** A failure, after the events that came before it. */
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

/** Splits a text into words, each with the space after it. */
export function deltas(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
