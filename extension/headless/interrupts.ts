import { diskTrouble } from '../node/fs/disk-problem.ts';
import { errorCode } from '../node/fs/file-errors.ts';
import { discardAll } from '../node/fs/temporary-files.ts';
import { EXIT } from './exit-codes.ts';

/** For these codes, the system's message does not name the file. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `cancel` on an interrupt, or if the terminal or the reader of the output has gone. Returns a function
 * that unsubscribes.
 */
export function onInterrupt(cancel: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, cancel);
  process.stdout.on('error', cancel);
  return () => {
    for (const signal of SIGNALS) process.off(signal, cancel);
    process.stdout.off('error', cancel);
  };
}

/** Ends this process after an interrupt, or after an output error that was already reported. */
export function endInterrupted(): never {
  process.exit(process.exitCode || EXIT.cancelled);
}

/**
 * Runs `work`, which writes files into `folder`. An interrupt removes its temporary files and ends the
 * process. If the disk accepts no writes, the error names the folder.
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
