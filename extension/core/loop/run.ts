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
import type { Steering } from './steering.ts';

/** What running a single tool call needs. */
export interface ToolRun {
  readonly tools: readonly Tool[];
  readonly toolContext: ToolContext;
  /** Characters of one tool result that the model gets; what is longer is cut when it is made. */
  readonly maxResultChars: number;
  /** Files as the model knows them after a call. */
  readonly remember: (files: Readonly<Record<string, SeenFile>>) => void;
  readonly gate: Pick<Gate, 'authorize'>;
  readonly changes: Pick<ChangeTracker, 'expect' | 'begin'>;
  readonly recorder: Pick<LogWriter, 'stage' | 'flush' | 'append' | 'sync' | 'delta'>;
  /** For what is about to be cut: half a secret is not known again. */
  readonly withoutSecrets: LogWriter['withoutSecrets'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Everything that one run works with: from a prompt until the agent stops. */
export interface Run extends ToolRun, RunSettings {
  /** The session's id. */
  readonly session: string;
  readonly transcript: Pick<Transcript, 'messages'>;
  readonly images: Pick<Images, 'load'>;
  readonly steering: Steering;
  /** What the user has chosen by now. Rejects with `SetupError`. */
  readonly settings: () => Promise<RunSettings>;
  /** What the user had chosen when that was asked for last; its fallback may be at work. */
  readonly chosen: RunSettings;
  /** Goes on with another model. */
  readonly use: (changes: Partial<Pick<Run, keyof RunSettings | 'chosen'>>) => void;
  /** In [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** The id of a call, other than any that this session has: some models repeat themselves, and a history with that is refused. */
  readonly uniqueCallId: (id: string) => string;
  /** Numbers the requests of the session from 1. */
  readonly nextRequest: () => number;
  /** Keeps what a request begins with, and returns its name. Without it that is kept nowhere. */
  readonly keepPrefix?: (prefix: RequestPrefix) => string;
  /** Resolves when the user does not want to wait for a retry any longer. */
  readonly retryNow: () => Promise<void>;
}
