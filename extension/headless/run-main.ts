import { errorCode } from '../node/fs/file-errors.ts';
import { UsageError } from './arguments.ts';
import { exitCodeOf } from './exit-codes.ts';
import { report } from './printable.ts';

/**
 * Sets the exit code to the one that `work` resolves with. Reports an error, and prints `hint` after wrong
 * usage.
 */
export async function runMain(work: Promise<number>, hint = ''): Promise<void> {
  const fail = (error: unknown) => {
    // The first error is the cause of later ones.
    if (process.exitCode) return;
    report(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) process.stderr.write(hint);
    process.exitCode = exitCodeOf(error);
  };
  process.stdout.on('error', (error) => {
    // EPIPE means that the reader has closed the pipe. `onInterrupt` then cancels the work.
    if (errorCode(error) !== 'EPIPE') fail(error);
  });
  await work.then((code) => {
    process.exitCode ||= code;
  }, fail);
}
