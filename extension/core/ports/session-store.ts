import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from './blob-store.ts';

/** Another process writes this session. */
export class SessionBusyError extends Error {
  constructor(readonly holder: string) {
    super(say('This session is open in another window or program ({0.}).', holder));
  }
}

/** The caller named a session that does not exist. */
export class NoSessionError extends Error {
  constructor(id: string) {
    super(say('The session “{0}” does not exist.', id));
  }
}

/** The log has a newer format, which this version of Harness can read but not write. */
export class NewerLogError extends Error {
  /** `version`: that of the log's format. */
  constructor(version: number) {
    super(
      say(
        'A newer version of Harness wrote this session (log format {0}; this version writes {1}). You can read it here. Update Harness to continue it.',
        version,
        LOG_VERSION,
      ),
    );
  }
}

/** The log of one session, opened for writing by one process at a time. */
export interface SessionLog {
  readonly id: string;
  /**
   * The intact events that the log had when it was opened, in order. The older ones of a long log are elided.
   */
  readonly past: readonly SessionEvent[];
  /** What Harness repaired on open, one sentence each; empty for a sound log. */
  readonly repairs: readonly string[];
  /** The bytes that its events name. */
  readonly blobs: BlobStore;
  /**
   * Stores bytes that a `request_started` will name, before that event is written. If that fails, the event
   * is written without their name, after a notice that says why. The next event that names them tries again.
   */
  keep(bytes: Uint8Array): void;
  /**
   * Appends the drafts in order. Resolves when they would survive the death of this process, or when the file
   * rejects them (disk full). In the second case the drafts still count, `trouble` says why, and the log
   * buffers them in memory. The next `append`, `sync` or `close` that can write does so, in order and before
   * anything else.
   */
  append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]>;
  /** Events number `first` to `last`, whole. */
  load(first: number, last: number): Promise<readonly SessionEvent[]>;
  /** Resolves when everything appended would survive a power loss. Otherwise rejects with the reason. */
  sync(): Promise<void>;
  /** The system's reason why the newest events are only in memory; undefined if all are in the file. */
  readonly trouble: string | undefined;
  /**
   * Sends a heartbeat until the returned function is called. Processes on other machines cannot see otherwise
   * that this one is alive.
   */
  atWork(): () => void;
  /** Lets another process write. Rejects if something was never written and is lost. */
  close(): Promise<void>;
}

/** `waiting`: for an approval. `error`: the last run ended in an error or was cut off. */
export type SessionState = 'idle' | 'running' | 'waiting' | 'error';

export interface SessionSummary {
  readonly id: string;
  /** The user's name for it, else the beginning of the first prompt. */
  readonly title: string;
  readonly cwd: string;
  /** When something was last said or done in it, milliseconds since the epoch. */
  readonly updated: number;
  readonly prompts: number;
  readonly state: SessionState;
}

/** What the panel shows of a long session while Harness reads the whole log. */
export interface SessionEnd {
  /** As in `SessionSummary`, as far as it is known without reading the whole log. */
  readonly title: string;
  /**
   * The newest intact events, beginning with a prompt or a request. They are not verified, and may end within
   * a run. Empty if showing them gains nothing.
   */
  readonly events: readonly SessionEvent[];
}

/** Observes a session that another process writes. */
export interface LogFollower {
  /** The events after `past`, in order. */
  onEvents(events: readonly SessionEvent[]): void;
  /**
   * Reports whether a living process holds the session, at first and on each change. It does not detect that
   * a process was killed.
   */
  onHeld(isHeld: boolean): void;
}

export interface FollowedLog extends Pick<SessionLog, 'past' | 'load'> {
  /** Stops the calls to the follower. */
  close(): void;
}

/** All sessions of this user. */
export interface SessionStore {
  /**
   * Creates a log whose first event is `session_started`. The file appears with it, or later if the disk
   * cannot be written yet.
   */
  create(start: { cwd: string; product: string }): Promise<SessionLog>;
  /**
   * Creates a log that begins with the events of session `id` before event `before`, and closes their runs
   * and calls. It has the bytes that these events name, but not what the model knew of files. `toModel`
   * informs the model. The other log stays unchanged. Rejects with `NoSessionError` or `NewerLogError`, or if
   * there is no such event.
   */
  fork(
    id: string,
    before: number,
    start: { cwd: string; product: string; toModel?: string },
  ): Promise<SessionLog>;
  /**
   * If the disk cannot be written, appended events are buffered until it can. Rejects with
   * `SessionBusyError`, `NewerLogError` or `NoSessionError`.
   */
  open(id: string): Promise<SessionLog>;
  /**
   * The intact events of a session, even while another process writes it. The older ones of a long log are
   * elided.
   */
  read(id: string): Promise<readonly SessionEvent[]>;
  /** The same events, each whole, in the batches in which they are read. */
  stream(id: string): AsyncIterable<readonly SessionEvent[]>;
  /** Follows a session while another process writes it. Rejects if there is no such session. */
  follow(id: string, follower: LogFollower): Promise<FollowedLog>;
  /** Rejects if there is no such session. */
  readEnd(id: string): Promise<SessionEnd>;
  /**
   * The bytes that the events of a session name, even while another process writes it. Throws if `id` is not
   * a valid session name.
   */
  blobs(id: string): BlobStore;
  /** Newest first. `onUnread` gets each session that exists but cannot be read. */
  list(onUnread?: OnUnread): Promise<readonly SessionSummary[]>;
}

export type OnUnread = (id: string, error: Error) => void;
