import { NoSessionError } from '../core/ports/session-store.ts';
import { UnusableError, UsageError } from './arguments.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, cancelled: 130 } as const;

/**
 * Returns `usage` if the command line is wrong, or names something that is missing or of the wrong kind.
 * Returns `failed` for all other errors.
 */
export function exitCodeOf(error: unknown): number {
  const isUsage = [UsageError, UnusableError, NoSessionError].some((kind) => error instanceof kind);
  return isUsage ? EXIT.usage : EXIT.failed;
}
