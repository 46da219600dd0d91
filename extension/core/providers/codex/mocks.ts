// Replies in the form of GPT and Codex models, for a `ScriptedModel` or a mock.

import type { ModelEvent } from '../../ports/model.ts';
import { deltas, end, toolCall } from '../../ports/testing/scripted-replies.ts';
import { CODEX_NAME } from './options.ts';

export interface CodexFlow {
  /** A summary of the reasoning, which goes back encrypted with the next request. */
  readonly thinking?: string;
  /** Text before the call. */
  readonly preamble?: string;
  /** The model that the thinking is bound to. */
  readonly model?: string;
}

const MODEL = 'gpt-5.6-sol';

/** Announces a change, then sends a patch as free-form text. */
export function withApplyPatchFlow(patch: string, flow: CodexFlow = {}): ModelEvent[] {
  const opaque = opaqueOf({ type: 'custom_tool_call' }, flow);
  const calls = toolCall('call_mock_apply_patch', 'apply_patch', { input: patch });
  return [
    ...before(flow),
    ...calls.map((event) => (event.type === 'tool_call' ? { ...event, opaque } : event)),
    ...end('tool_calls'),
  ];
}

/** Shows a plan. */
export function withPlanFlow(
  steps: readonly { readonly step: string; readonly status: 'pending' | 'in_progress' | 'completed' }[],
  flow: CodexFlow = {},
): ModelEvent[] {
  return [
    ...before(flow),
    ...toolCall('call_mock_update_plan', 'update_plan', { plan: steps }),
    ...end('tool_calls'),
  ];
}

function before(flow: CodexFlow): ModelEvent[] {
  const { thinking = '', preamble = '' } = flow;
  return [
    ...(thinking === '' ? [] : thought(thinking, flow)),
    ...(preamble === '' ? [] : said(preamble, flow)),
  ];
}

function thought(text: string, flow: CodexFlow): ModelEvent[] {
  const summary = [{ type: 'summary_text', text }];
  const data = { type: 'reasoning', id: 'rs_mock', summary, encrypted_content: `encrypted-${text.length}` };
  return [
    ...deltas(text).map((part) => ({ type: 'reasoning_delta', text: part }) as const),
    { type: 'reasoning', text, opaque: opaqueOf(data, flow) },
  ];
}

function said(text: string, flow: CodexFlow): ModelEvent[] {
  return [
    ...deltas(text).map((part) => ({ type: 'text_delta', text: part }) as const),
    { type: 'text', text, preamble: true, opaque: opaqueOf({ phase: 'commentary' }, flow) },
  ];
}

function opaqueOf(data: unknown, { model = MODEL }: CodexFlow) {
  return { provider: CODEX_NAME, model, data };
}
