import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import { localTime } from '../base/text/local-time.ts';
import { nearest } from '../base/text/similar-names.ts';
import type { Logger } from '../ports/logger.ts';
import type { ModelError, ModelErrorKind } from '../ports/model.ts';
import { isTooLong } from './retry.ts';
import type { Run } from './run.ts';

/**
 * Code and message of the `error` event for a run that threw. Logs the full error if it is a bug in Harness.
 */
export function describeRunFailure(
  error: unknown,
  logger: Logger,
): { readonly code: string; readonly message: string } {
  if (error instanceof SetupError) return error;
  logger.error(`A run failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`);
  return { code: 'internal', message: describeBug(error) };
}

/** The message to the user about a bug in Harness. */
export function describeBug(error: unknown): string {
  return say(
    'Internal error: {0}. Try again. If it happens again, see the Harness output channel.',
    error instanceof Error ? error.message : String(error),
  );
}

/**
 * Errors that pass by themselves. Their messages say only what happened, because Harness also shows them
 * while it waits to retry.
 */
const PASSING = new Set<ModelErrorKind>([
  'rate_limit',
  'overloaded',
  'server',
  'timeout',
  'stream_incomplete',
  'tool_format',
]);

/**
 * The message to the user when Harness makes no further attempt. `now` is in milliseconds since the epoch.
 */
export function withRecoveryHint(
  { kind, message, retryable, retryAfterMs = 0 }: ModelError,
  now: number,
): string {
  if (isTooLong(retryAfterMs)) {
    return say(
      '{0.} The server asks you to wait until {1}. Try again then, or choose another model with “Harness: Select Model”.',
      message,
      localTime(now + retryAfterMs, now),
    );
  }
  if (!retryable || !PASSING.has(kind)) return message;
  return say('{0.} Try again later, or choose another model with “Harness: Select Model”.', message);
}

type Asking = Pick<Run, 'provider' | 'model' | 'clock' | 'signal'>;

/** Longest delay, in milliseconds, that the search for similar names adds to an error. */
const PATIENCE_MS = 5_000;

/**
 * If the provider does not know the model, adds similar model names to the message. Returns any other error
 * unchanged.
 */
export async function withSimilarModels(error: ModelError, run: Asking): Promise<ModelError> {
  if (error.kind !== 'not_found') return error;
  const others = (await listedIds(run)).filter((id) => id !== run.model);
  const names = nearest(run.model, others).map((id) => `${run.provider.name}/${id}`);
  if (names.length === 0) return error;
  return { ...error, message: say('{0.} Did you mean {1}?', error.message, names.join(', ')) };
}

/** The ids that the provider lists; none if it fails or does not answer in time. */
async function listedIds({ provider, clock, signal }: Asking): Promise<readonly string[]> {
  const over = new AbortController();
  const asked = AbortSignal.any([signal, over.signal]);
  const none: readonly string[] = [];
  const ids = await Promise.race([
    provider.listModels(asked).then(
      (models) => models.map(({ id }) => id),
      () => none,
    ),
    clock.sleep(PATIENCE_MS, asked).then(() => none),
  ]);
  over.abort();
  return ids;
}
