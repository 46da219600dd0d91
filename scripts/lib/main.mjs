import { isShuttingDown } from './process-tree.mjs';

/**
 * Runs a script. An expected failure is an Error whose message says what to do, so only the message is shown.
 * Any other failure is a bug and is shown with its stack.
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
