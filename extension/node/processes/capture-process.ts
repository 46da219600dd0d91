import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Bytes of output after which the process is killed. */
  readonly limit: number;
  /** The working folder. The default is the folder of the program. */
  readonly directory?: string;
}

export interface Captured {
  readonly stdout: Buffer;
  /** The output was longer than `limit` bytes, so the process was killed. */
  readonly isCut: boolean;
  /** The beginning of the error output, in whole lines. */
  readonly stderr: string;
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
}

const ERROR_LIMIT = 64 * 1024;

/**
 * Runs a program of Harness's choice, without a shell and with an almost empty environment. Kills it at its
 * output limit, or when the signal is aborted. Rejects if the program cannot be started, and with the
 * signal's `AbortError`.
 */
export function captureProcess(
  { file, args, limit, directory = dirname(file) }: Program,
  signal: AbortSignal,
): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: directory,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      signal,
      killSignal: 'SIGKILL',
    });
    const output = collect(child.stdout, limit, () => child.kill('SIGKILL'));
    const errors = collect(child.stderr, ERROR_LIMIT, () => {});
    child.on('error', reject);
    child.on('close', (exitCode) => {
      const stderr = wholeLines(errors.bytes(), errors.isFull());
      resolve({ stdout: output.bytes(), isCut: output.isFull(), stderr, exitCode });
    });
  });
}

/**
 * Drops almost all variables, because those of the user, the workspace or Harness could change the results.
 */
function environment(): NodeJS.ProcessEnv {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const { SystemRoot } = process.env;
  return { LC_ALL: locale, ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

function wholeLines(bytes: Buffer, isCut: boolean): string {
  return bytes.subarray(0, isCut ? bytes.lastIndexOf('\n') + 1 : bytes.length).toString('utf8');
}

function collect(stream: Readable, limit: number, onFull: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size <= limit) chunks.push(chunk);
    size += chunk.length;
    if (size > limit) onFull();
  });
  return { bytes: () => Buffer.concat(chunks).subarray(0, limit), isFull: () => size > limit };
}
