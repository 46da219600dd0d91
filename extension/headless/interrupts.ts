import { diskTrouble } from '../node/fs/disk-problem.ts';
import { errorCode } from '../node/fs/file-errors.ts';
import { discardAll } from '../node/fs/temporary-files.ts';
import { EXIT } from './exit-codes.ts';

/** The system's words name no file then. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `cancel` when the user, the terminal or whoever reads our output has gone. Returns the undo. */
export function onInterrupt(cancel: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, cancel);
  process.stdout.on('error', cancel);
  return () => {
    for (const signal of SIGNALS) process.off(signal, cancel);
    process.stdout.off('error', cancel);
  };
}

/** Ends this process since it was interrupted, or since its output cannot be written, which was told then. */
export function endInterrupted(): never {
  process.exit(process.exitCode || EXIT.cancelled);
}

/**
 * Does what writes files into `folder`; an interrupt ends the process, and what is half-done there goes with it. Where the
 * disk takes nothing, the error says so of the folder.
 */
export async function allOrNothing<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const uninterrupt = onInterrupt(() => {
    discardAll(folder);
    endInterrupted();
  });
  try {
    return await work();
  } catch (error) {
    if (!TAKES_NOTHING.has(errorCode(error) ?? '')) throw error;
    throw new Error(`nothing was written to ${folder}: ${diskTrouble(error)}`, { cause: error });
  } finally {
    uninterrupt();
  }
}
