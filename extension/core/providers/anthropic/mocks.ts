// Replies in the form of Claude's, for a `ScriptedModel` or a mock.

import type { ModelEvent } from '../../ports/model.ts';
import { deltas, end, textBlock, toolCall } from '../../ports/testing/scripted-replies.ts';
import { ANTHROPIC_NAME } from './to-request.ts';

export interface ThinkingFlow {
  readonly thinking: string;
  /** The answer, or the text before the call. */
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** The model that the thinking is bound to. */
  readonly model?: string;
}

/** Thinks, with a signature that goes back with the next request. Then answers or calls a tool. */
export function withThinkingFlow({
  thinking,
  text = '',
  call,
  model = 'claude-opus-5-5',
}: ThinkingFlow): ModelEvent[] {
  const data = { type: 'thinking', thinking, signature: `signature-of-${thinking.length}` };
  return [
    ...deltas(thinking).map((part) => ({ type: 'reasoning_delta', text: part }) as const),
    { type: 'reasoning', text: thinking, opaque: { provider: ANTHROPIC_NAME, model, data } },
    ...(text === '' ? [] : textBlock(text)),
    ...(call ? toolCall(`toolu_mock_${call.name}`, call.name, call.input) : []),
    ...end(call ? 'tool_calls' : 'end'),
  ];
}
