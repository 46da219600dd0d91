// Runs a bench program in a process of its own, on the Node that runs the bench.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { bundle } from './bundle.ts';

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Bundles `bench/programs/NAME.ts` into the folder. */
export function bundleProgram(name: string, folder: string): Promise<string> {
  return bundle(inRepository('bench', 'programs', `${name}.ts`), path.join(folder, `${name}.mjs`));
}

/** Runs a program that prints one JSON value, and resolves with that value. */
export async function runProgram<Result>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const options = { env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], options).catch(fail);
  // Each program documents its output in its first lines.
  return JSON.parse(stdout) as Result;
}

/** Node quotes the failed line, and the lines of a bundle are very long. */
function fail({ message }: Error): never {
  const lines = message.split('\n').filter((line) => line.length < 500);
  throw new Error(lines.join('\n'));
}
