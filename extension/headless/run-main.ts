import { errorCode } from '../node/fs/file-errors.ts';
import { UsageError } from './arguments.ts';
import { exitCodeOf } from './exit-codes.ts';
import { report } from './printable.ts';

/** Ends the process with the code that the work resolves with, or tells why there is none; `hint` where the command line was wrong. */
export async function runMain(work: Promise<number>, hint = ''): Promise<void> {
  const fail = (error: unknown) => {
    // What went wrong first is the cause.
    if (process.exitCode) return;
    report(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) process.stderr.write(hint);
    process.exitCode = exitCodeOf(error);
  };
  process.stdout.on('error', (error) => {
    // Whoever read it has enough; what runs hears of it too and ends.
    if (errorCode(error) !== 'EPIPE') fail(error);
  });
  await work.then((code) => {
    process.exitCode ||= code;
  }, fail);
}
