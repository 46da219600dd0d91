// The output of one command as it arrives: to a listener, within limits into memory, and whole into a file.
import { closeSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { OutputStream, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { StartedCommand } from './started-command.ts';

const STREAMS = ['stdout', 'stderr'] as const;

type Streams = Pick<StartedCommand, OutputStream>;

export class CommandOutput {
  readonly #buffers: Readonly<Record<OutputStream, OutputBuffer>>;
  readonly #file: OutputFile;
  readonly #onOutput: (stream: OutputStream, text: string) => void;
  #isMoved = false;

  constructor(
    { maxBytes, file }: Pick<ShellCommand, 'maxBytes' | 'file'>,
    onOutput: (stream: OutputStream, text: string) => void,
  ) {
    this.#buffers = { stdout: new OutputBuffer(maxBytes), stderr: new OutputBuffer(maxBytes) };
    this.#file = new OutputFile(file, maxBytes);
    this.#onOutput = onOutput;
  }

  collect(streams: Streams): void {
    for (const name of STREAMS)
      streams[name].on('data', (chunk: Uint8Array) => {
        this.#file.push(chunk);
        if (!this.#isMoved) this.#forward(name, this.#buffers[name].push(chunk));
      });
  }

  /** From now on, only the file gets the output. Returns its path; undefined if the disk does not take it. */
  move(): string | undefined {
    const path = this.#file.write();
    this.#isMoved = path !== undefined;
    return path;
  }

  /** With `keepOpen`, still reads the pipes, because writing to a closed pipe would end a background child. */
  release(streams: Streams, keepOpen: boolean): void {
    for (const name of STREAMS) {
      if (!this.#isMoved) this.#forward(name, this.#buffers[name].finish());
      letGo(streams[name], keepOpen);
    }
    this.#file.close();
  }

  result(end: ShellResult['end'], exitCode: number): ShellResult {
    const { stdout, stderr } = this.#buffers;
    const file = stdout.isCut || stderr.isCut ? this.#file.write() : undefined;
    return {
      end,
      stdout: stdout.text(),
      stderr: stderr.text(),
      exitCode,
      ...(file !== undefined && { file }),
    };
  }

  #forward(name: OutputStream, text: string): void {
    if (text !== '') this.#onOutput(name, text);
  }
}

/** The pipe does not keep this process alive. */
function letGo(stream: Readable, keepOpen: boolean): void {
  stream.removeAllListeners('data');
  if (!keepOpen) {
    stream.destroy();
    return;
  }
  stream.resume();
  if (stream instanceof Socket) stream.unref();
}

/** Bytes of an output that go into its file. */
const MOST_IN_FILE = 64 * 1024 * 1024;

/**
 * The whole output of a command in the order of its arrival. It goes into a file once it is longer than
 * `after` bytes, or when the caller wants that.
 */
class OutputFile {
  readonly #path: string | undefined;
  readonly #after: number;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #descriptor: number | undefined;
  #isOff: boolean;

  /** Without a path, nothing is stored. */
  constructor(path: string | undefined, after: number) {
    this.#path = path;
    this.#after = after;
    this.#isOff = path === undefined;
  }

  /** The file, if it has all output so far. */
  get path(): string | undefined {
    return this.#descriptor === undefined ? undefined : this.#path;
  }

  push(chunk: Uint8Array): void {
    if (this.#isOff) return;
    this.#size += chunk.length;
    this.#waiting.push(chunk);
    if (this.#descriptor !== undefined || this.#size > this.#after) this.write();
  }

  /** Writes what has arrived. From now on, the file has everything. Returns its path, if the disk takes it. */
  write(): string | undefined {
    if (this.#isOff) return this.path;
    try {
      this.#descriptor ??= openSync(this.#path ?? '', 'a', 0o600);
      for (const chunk of this.#waiting) writeSync(this.#descriptor, chunk);
      if (this.#size > MOST_IN_FILE) this.#cut(this.#descriptor);
    } catch {
      this.close();
      this.#descriptor = undefined;
    }
    this.#waiting = [];
    return this.path;
  }

  close(): void {
    if (this.#descriptor !== undefined && !this.#isOff) closeSync(this.#descriptor);
    this.#waiting = [];
    this.#isOff = true;
  }

  #cut(descriptor: number): void {
    writeSync(descriptor, '\n... (truncated after 64 MB)\n');
    this.close();
  }
}
