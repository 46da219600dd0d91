import type { Opaque, SessionEvent } from '../../protocol/events.ts';
import type { ModelErrorKind, StopReason, Usage } from '../ports/model.ts';
import { type PlanStep, planSteps } from './plan.ts';

/** Why a turn failed. Beside the kinds of the model there are those of the loop: `max_tokens`, `internal`. */
export interface HarnessError {
  readonly kind: ModelErrorKind | 'max_tokens' | 'internal';
  /** A sentence for the user: what happened and what to do. */
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * What happens in a turn. Deltas come live, then the block whole; `opaque` is what its maker wants back. The last event is
 * `done` or `error`, exactly one of the two, unless the signal was aborted. A `retry` takes back what came since the last
 * result: it is sent again. `timestamp` is in milliseconds since the epoch.
 */
export type HarnessEvent = { readonly timestamp: number } & (
  | { readonly type: 'text_delta' | 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly name: string; readonly bytes: number }
  /** A `preamble` is said on the way, before a call: no part of the answer. */
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
  /** Why its arguments are no JSON object; then `input` is empty. */
  readonly invalid?: string | undefined;
  readonly opaque?: Opaque | undefined;
}

/** What a harness tells of an event of the loop; nothing of those that only a session needs. */
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
      // The codes of the loop are those of the model's errors and its own two.
      return [
        { timestamp, type: event.type, error: { kind: code as HarnessError['kind'], message, retryable } },
      ];
    }
    default:
      return [];
  }
}
