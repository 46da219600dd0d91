import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Bytes of output after which it is ended. */
  readonly limit: number;
  /** Where it runs; beside itself where it is not given. */
  readonly directory?: string;
}

export interface Captured {
  readonly stdout: Buffer;
  /** There was more than `limit` bytes; the process was ended then. */
  readonly isCut: boolean;
  /** The beginning, in whole lines. */
  readonly stderr: string;
  /** Null where a signal ended the process. */
  readonly exitCode: number | null;
}

const ERROR_LIMIT = 64 * 1024;

/**
 * Runs a program of ours (no shell) with next to no environment, up to its end or up to its limit. When the signal is aborted, it is killed. Rejects where it could not be started and with the signal's `AbortError`.
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

/** No variable of the user's, of the workspace's or of ours may change what is found. */
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
