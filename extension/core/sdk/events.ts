import type { Opaque, SessionEvent } from '../../protocol/events.ts';
import type { ModelErrorKind, StopReason, Usage } from '../ports/model.ts';
import { type PlanStep, planSteps } from './plan.ts';

/**
 * Why a turn failed. In addition to the kinds of the model, the loop has its own: `max_tokens`, `internal`.
 */
export interface HarnessError {
  readonly kind: ModelErrorKind | 'max_tokens' | 'internal';
  /** A sentence for the user: what happened and what to do. */
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * What happens in a turn. Deltas come live, then the whole block. `opaque` is the provider's own data, which
 * must go back to it. The last event is exactly one `done` or `error`, unless the signal was aborted. A
 * `retry` takes back what came since the last result, because the request is sent again. `timestamp` is in
 * milliseconds since the epoch.
 */
export type HarnessEvent = { readonly timestamp: number } & (
  | { readonly type: 'text_delta' | 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly name: string; readonly bytes: number }
  /** A `preamble` is text before a call; not part of the answer. */
  | {
      readonly type: 'text' | 'preamble' | 'thinking';
      readonly text: string;
      readonly opaque?: Opaque | undefined;
    }
  | { readonly type: 'provider_block'; readonly opaque: Opaque }
  | ({ readonly type: 'tool_call' } & HarnessCall)
  | { readonly type: 'tool_result'; readonly id: string; readonly content: string; readonly isError: boolean }
  | { readonly type: 'plan_update'; readonly steps: readonly PlanStep[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly message: string }
  | { readonly type: 'error'; readonly error: HarnessError }
  | { readonly type: 'done'; readonly stop: StopReason | 'max_steps' }
);

export interface HarnessCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why the arguments are not a JSON object. In that case, `input` is empty. */
  readonly invalid?: string | undefined;
  readonly opaque?: Opaque | undefined;
}

/** The harness's events for an event of the loop; none for events that only a session needs. */
export function fromSessionEvent(event: SessionEvent): readonly HarnessEvent[] {
  const { timestamp } = event;
  switch (event.type) {
    case 'text': {
      const type = event.preamble ? 'preamble' : 'text';
      return [{ timestamp, type, text: event.content, opaque: event.opaque }];
    }
    case 'reasoning':
      return [{ timestamp, type: 'thinking', text: event.content, opaque: event.opaque }];
    case 'provider_block':
      return [{ timestamp, type: event.type, opaque: event.opaque }];
    case 'tool_call': {
      const { type, id, name, input, invalid, opaque } = event;
      const steps = planSteps(name, input);
      const plan = steps ? [{ timestamp, type: 'plan_update', steps } as const] : [];
      return [{ timestamp, type, id, name, input, invalid, opaque }, ...plan];
    }
    case 'tool_result': {
      const { type, id, result: content, isError, end } = event;
      // A reply that was not completed has no calls to answer.
      return end === 'interrupted' ? [] : [{ timestamp, type, id, content, isError }];
    }
    case 'usage': {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, cost } = event;
      const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, cost };
      return [{ timestamp, type: event.type, usage }];
    }
    case 'retry': {
      const { type, attempt, delayMs, message } = event;
      return [{ timestamp, type, attempt, delayMs, message }];
    }
    case 'error': {
      const { code, message, retryable } = event;
      // The loop's codes are the kinds of model errors plus `max_tokens` and `internal`.
      return [
        { timestamp, type: event.type, error: { kind: code as HarnessError['kind'], message, retryable } },
      ];
    }
    default:
      return [];
  }
}
