import { discardAll } from '../node/temporary-files.ts';
import { EXIT } from './exit-codes.ts';

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

/** Does what writes files into `folder`; an interrupt ends the process, and what is half-done there goes with it. */
export async function allOrNothing<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const uninterrupt = onInterrupt(() => {
    discardAll(folder);
    process.exit(EXIT.cancelled);
  });
  return work().finally(uninterrupt);
}
