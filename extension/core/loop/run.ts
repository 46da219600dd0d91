import type { ChangeTracker } from '../checkpoints/change-tracker.ts';
import type { Images } from '../context/images.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { RequestPrefix } from '../log/request-prefix.ts';
import type { SeenFile } from '../log/seen-files.ts';
import type { Transcript } from '../log/transcript.ts';
import type { Gate } from '../permission/gate.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Tool, ToolContext } from '../tools/common/tool.ts';
import type { RunSettings } from './run-settings.ts';
import type { RunningCalls } from './running-calls.ts';
import type { Steering } from './steering.ts';

/** What running a single tool call needs. */
export interface ToolRun {
  readonly tools: readonly Tool[];
  readonly toolContext: ToolContext;
  /** The workspace folder. The model reads the paths in results relative to it. */
  readonly cwd: string;
  /** Characters of one result in the log. Of a longer one, the log has the beginning and the end. */
  readonly maxResultChars: number;
  /**
   * Keeps a text that is too long for the model in a file of the session, and returns its absolute path;
   * undefined if that failed. If absent, the model must ask for a smaller part.
   */
  readonly keepOutput?: (call: string, text: string) => string | undefined;
  readonly running: RunningCalls;
  /** Stores the files as the model knows them after a call. */
  readonly remember: (files: Readonly<Record<string, SeenFile>>) => void;
  readonly gate: Pick<Gate, 'authorize' | 'askUser'>;
  readonly changes: Pick<ChangeTracker, 'begin'>;
  readonly writer: Pick<LogWriter, 'stage' | 'flush' | 'append' | 'sync' | 'delta'>;
  /** For text that is about to be cut, because the filter does not recognize half a secret. */
  readonly withoutSecrets: LogWriter['withoutSecrets'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Everything that one run works with, from a prompt until the agent stops. */
export interface Run extends ToolRun, RunSettings {
  /** The session's id. */
  readonly session: string;
  readonly transcript: Pick<Transcript, 'messages'>;
  readonly images: Pick<Images, 'load'>;
  readonly steering: Steering;
  /** Reads what the user has chosen. Rejects with `SetupError`. */
  readonly settings: () => Promise<RunSettings>;
  /** The user's choice when `settings` was last read. The run may be using its fallback. */
  readonly chosen: RunSettings;
  /** Continues with another model. */
  readonly use: (changes: Partial<Pick<Run, keyof RunSettings | 'chosen'>>) => void;
  /** In [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /**
   * Makes a call's id unique in the session. Some models repeat ids, and APIs refuse a history with
   * duplicates.
   */
  readonly uniqueCallId: (id: string) => string;
  /** Numbers the requests of the session from 1. */
  readonly nextRequest: () => number;
  /**
   * Stores the system prompt and the tools of a request, and returns the blob's name. If absent, they are not
   * stored.
   */
  readonly keepPrefix?: (prefix: RequestPrefix) => string;
  /** Resolves when the user wants to retry without waiting any longer. */
  readonly retryNow: () => Promise<void>;
}
