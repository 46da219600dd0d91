import { say } from '../../protocol/say.ts';
import type { ModelError, ModelErrorKind } from '../ports/model.ts';
import { localTime } from './local-time.ts';
import { isTooLong } from './retry.ts';

/** What passes by itself: its sentence says only what happened, since it is also told while Harness waits and tries again. */
const PASSING = new Set<ModelErrorKind>([
  'rate_limit',
  'overloaded',
  'server',
  'timeout',
  'stream_incomplete',
  'tool_format',
]);

/** What the user is told when no further attempt is made at `now`, in milliseconds since the epoch. */
export function withAdvice({ kind, message, retryable, retryAfterMs = 0 }: ModelError, now: number): string {
  if (isTooLong(retryAfterMs)) {
    return say(
      '{0.} The server asks to wait until {1}: try again then, or choose another model with “Harness: Select Model”.',
      message,
      localTime(now + retryAfterMs, now),
    );
  }
  if (!retryable || !PASSING.has(kind)) return message;
  return say('{0.} Try again later, or choose another model with “Harness: Select Model”.', message);
}
