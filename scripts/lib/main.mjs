import { isShuttingDown } from './process-tree.mjs';

/**
 * Runs a script. What goes wrong on purpose is an Error whose message says what to do, so that is what is
 * shown; anything else is a mistake of ours and keeps its stack.
 * @param {() => Promise<number | void>} work returns the exit code; nothing means 0
 */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (isShuttingDown()) return;
    console.error(error instanceof Error && error.constructor === Error ? error.message : error);
    process.exitCode = 1;
  }
}
