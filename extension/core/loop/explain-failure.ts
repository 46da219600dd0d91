import { say } from '../../protocol/say.ts';
import type { Logger } from '../ports/logger.ts';
import { SetupError } from './setup-error.ts';

/** What an `error` event says of a run that threw; what is a bug of ours is logged whole. */
export function explainFailure(
  error: unknown,
  logger: Logger,
): { readonly code: string; readonly message: string } {
  if (error instanceof SetupError) return error;
  logger.error(`A run failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`);
  return { code: 'internal', message: bugOf(error) };
}

/** What the user is told of a bug of ours. */
export function bugOf(error: unknown): string {
  return say(
    'Something in Harness failed ({0}). Send the prompt again; the output “Harness” has the details, should it happen once more.',
    error instanceof Error ? error.message : String(error),
  );
}
