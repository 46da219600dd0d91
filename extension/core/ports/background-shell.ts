/** A command that runs while the conversation goes on. */
export interface BackgroundProcess {
  /** The id of the process that leads the command's process group. */
  readonly pid: number;
  /** When that process began, because a later process may have the same id. Empty if unknown. */
  readonly started: string;
  /** A part of the environment of this command's processes only. */
  readonly mark: string;
  /** Absolute path of the file that takes its output. */
  readonly file: string;
}

export interface BackgroundEnd {
  /** Undefined if nobody saw the command end. */
  readonly exitCode?: number | undefined;
}

export interface OutputPart {
  readonly text: string;
  /** Bytes of the file up to the end of `text`. */
  readonly through: number;
  /** Bytes in the middle that `text` lacks, because they are too many. */
  readonly left: number;
}

/** Runs commands in the background. All but `start` and `release` work for commands of an earlier process too. */
export interface BackgroundShell {
  /**
   * Creates the process, which does nothing before `release`. So the log can name it first. If this process
   * dies before that, the command never runs. The paths are absolute. Rejects with `SpawnError`.
   */
  start(command: {
    readonly command: string;
    readonly cwd: string;
    readonly file: string;
  }): Promise<BackgroundProcess>;
  /** Lets the command begin. */
  release(process: BackgroundProcess): Promise<void>;
  /** Resolves when the command has ended; with undefined if `signal` was aborted first. */
  ended(process: BackgroundProcess, signal: AbortSignal): Promise<BackgroundEnd | undefined>;
  /** What was printed after byte `from`, at most `most` bytes of it, never half a character. */
  read(process: BackgroundProcess, from: number, most: number): Promise<OutputPart>;
  /** Ends the command with all its processes. Does nothing if it has ended. Never rejects. */
  stop(process: BackgroundProcess): Promise<void>;
  /**
   * The session closes here. Resolves with true if the command was ended because of it, with false
   * if it runs on until the session is opened again.
   */
  leave(process: BackgroundProcess): Promise<boolean>;
}
