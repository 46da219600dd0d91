import type { BackgroundProcess } from './background-shell.ts';

export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /**
   * Bytes of each stream that are returned. Of a longer one, its beginning and its end, and the text ends in
   * `... (truncated)`.
   */
  readonly maxBytes: number;
  /** Absolute path. Takes all output of both streams if one of them is longer, or the command is moved. */
  readonly file?: string | undefined;
}

export type OutputStream = 'stdout' | 'stderr';

export interface ShellResult {
  /**
   * `cancelled`: the signal was aborted, or the user stopped the command where it is shown. After `timeout`
   * and `cancelled`, the whole process tree is gone. `moved`: it runs on as `process`.
   */
  readonly end: 'exited' | 'timeout' | 'cancelled' | 'moved';
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n if signal n ended the command. */
  readonly exitCode: number;
  /** `ShellCommand.file`, if it has the output. */
  readonly file?: string | undefined;
  readonly process?: BackgroundProcess | undefined;
}

/** The command could not be started. */
export class SpawnError extends Error {}

/** Runs commands, without standard input. Their environment has none of Harness's keys. */
export interface Shell {
  /** The description that the model gets: "bash on Linux". */
  readonly description: string;
  /**
   * `onOutput` gets the first `maxBytes` of each stream as they arrive, never half a character. `move` asks to
   * let the command run on in the background. Rejects with `SpawnError` alone.
   */
  run(
    command: ShellCommand,
    onOutput: (stream: OutputStream, text: string) => void,
    signal: AbortSignal,
    move?: AbortSignal,
  ): Promise<ShellResult>;
}
