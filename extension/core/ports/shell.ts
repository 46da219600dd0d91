export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Bytes of each stream that are returned. The rest is dropped, and the text ends in `... (truncated)`. */
  readonly maxBytes: number;
}

export type OutputStream = 'stdout' | 'stderr';

export interface ShellResult {
  /**
   * `cancelled`: the signal was aborted, or the user stopped the command where it is shown. After `timeout`
   * and `cancelled`, the whole process tree is gone.
   */
  readonly end: 'exited' | 'timeout' | 'cancelled';
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n if signal n ended the command. */
  readonly exitCode: number;
}

/** The command could not be started. */
export class SpawnError extends Error {}

/** Runs commands, without standard input. Their environment has none of Harness's keys. */
export interface Shell {
  /** The description that the model gets: "bash on Linux". */
  readonly description: string;
  /**
   * `onOutput` gets the returned output as it arrives, never half a character. Rejects with `SpawnError`
   * alone.
   */
  run(
    command: ShellCommand,
    onOutput: (stream: OutputStream, text: string) => void,
    signal: AbortSignal,
  ): Promise<ShellResult>;
}
