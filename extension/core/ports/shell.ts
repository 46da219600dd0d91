export interface ShellCommand {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Bytes kept of each stream; the rest is dropped and the text ends in `... (truncated)`. */
  readonly maxBytes: number;
}

export type OutputStream = 'stdout' | 'stderr';

export interface ShellResult {
  /**
   * `cancelled`: the signal was aborted, or the user stopped the command where it is shown. After `timeout` and
   * `cancelled` the whole process tree is gone.
   */
  readonly end: 'exited' | 'timeout' | 'cancelled';
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n where signal n ended the command. */
  readonly exitCode: number;
}

/** The command could not be started. */
export class SpawnError extends Error {}

/** Runs commands. Its environment carries no key of ours; there is no standard input. */
export interface Shell {
  /** What the model is told: "bash on Linux". */
  readonly description: string;
  /** `onOutput` gets what is kept as it arrives, never half a character. Rejects with `SpawnError` alone. */
  run(
    command: ShellCommand,
    onOutput: (stream: OutputStream, text: string) => void,
    signal: AbortSignal,
  ): Promise<ShellResult>;
}
