import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from './blob-store.ts';

/** Another process writes this session. */
export class SessionBusyError extends Error {
  constructor(readonly holder: string) {
    super(say('Another window or program is writing this session ({0.}).', holder));
  }
}

/** Who asked has the name of a session that there is not. */
export class NoSessionError extends Error {
  constructor(id: string) {
    super(say('There is no session “{0}”.', id));
  }
}

/** A log of a format that only a newer version of Harness may write. It can be read. */
export class NewerLogError extends Error {
  /** `version` of its format. */
  constructor(version: number) {
    super(
      say(
        'A newer version of Harness wrote this session: its log has format {0}, and this version writes {1}. It can be read here; update Harness to go on with it.',
        version,
        LOG_VERSION,
      ),
    );
  }
}

/** The log of one session, opened for writing. One process at a time holds it. */
export interface SessionLog {
  readonly id: string;
  /** What was in the log when it was opened, intact events only, in order; the older ones of a long log are elided. */
  readonly past: readonly SessionEvent[];
  /** What had to be mended on open, one sentence each; empty in a sound log. */
  readonly repairs: readonly string[];
  /** The bytes that its events name. */
  readonly blobs: BlobStore;
  /**
   * Bytes that a `request_started` will name: they are among the blobs before it is written. Where they cannot be, it is
   * written without their name, and a notice before it says why; the next event that names them tries again.
   */
  keep(bytes: Uint8Array): void;
  /**
   * Puts the drafts behind each other into the log. Resolves when they would survive the death of this process, or
   * where the file does not take them (disk full): they count all the same. Then `trouble` says why, and what is held in
   * memory is written, in order and before anything else, by the next `append`, `sync` or `close` that can.
   */
  append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]>;
  /** Events `first` to `last`, by their numbers, whole. */
  load(first: number, last: number): Promise<readonly SessionEvent[]>;
  /** Resolves when everything that was appended would survive the loss of power. Rejects where it would not, with the reason. */
  sync(): Promise<void>;
  /** Why the newest events are in memory alone, as the system says it; undefined where all are in the file. */
  readonly trouble: string | undefined;
  /** Processes of other machines cannot see that this one lives: it tells them, until what is returned is called. */
  atWork(): () => void;
  /** Lets another process write. Rejects where something was never written, and is lost. */
  close(): Promise<void>;
}

/** `waiting`: for an approval. `error`: the last run ended in one, or was cut off. */
export type SessionState = 'idle' | 'running' | 'waiting' | 'error';

export interface SessionSummary {
  readonly id: string;
  /** As the user has named it, else the beginning of the first prompt. */
  readonly title: string;
  readonly cwd: string;
  /** When something was last said or done in it, milliseconds since the epoch. */
  readonly updated: number;
  readonly prompts: number;
  readonly state: SessionState;
}

/** What is shown of a long session while the whole of it is read. */
export interface SessionEnd {
  /** As `SessionSummary`'s, as far as it is known without reading the whole. */
  readonly title: string;
  /** The newest intact ones, from a prompt or a request on. They are not verified, and may end within a run. Empty where that gains nothing. */
  readonly events: readonly SessionEvent[];
}

/** Is told of a session that another process writes. */
export interface LogFollower {
  /** What comes after `past`, in order. */
  onEvents(events: readonly SessionEvent[]): void;
  /** Whether a living process holds it, at first and whenever that changes; one that was killed is not noticed. */
  onHeld(isHeld: boolean): void;
}

export interface FollowedLog extends Pick<SessionLog, 'past' | 'load'> {
  /** The follower is told nothing more. */
  close(): void;
}

/** All sessions of this user. */
export interface SessionStore {
  /** A new log whose first event is `session_started`. The file appears with it, or later where the disk takes nothing now. */
  create(start: { cwd: string; product: string }): Promise<SessionLog>;
  /**
   * A new log that begins with the events of session `id` before event `before`, its runs and calls closed. What the model
   * knew of files is not in it; the bytes that its events name are, and it is told `toModel`. The other log is left as it
   * is. Rejects with `NoSessionError` or `NewerLogError`, or where there is no such event.
   */
  fork(
    id: string,
    before: number,
    start: { cwd: string; product: string; toModel?: string },
  ): Promise<SessionLog>;
  /**
   * Where the disk takes nothing, what is appended is held until it does. Rejects with `SessionBusyError`, `NewerLogError` or
   * `NoSessionError`.
   */
  open(id: string): Promise<SessionLog>;
  /** The intact events of a session that somebody else may be writing; the older ones of a long one are elided. */
  read(id: string): Promise<readonly SessionEvent[]>;
  /** The same, each of them whole, as many at a time as are read at once. */
  stream(id: string): AsyncIterable<readonly SessionEvent[]>;
  /** Reads along while somebody else writes the session. Rejects where there is no such session. */
  follow(id: string, follower: LogFollower): Promise<FollowedLog>;
  /** Rejects where there is no such session. */
  readEnd(id: string): Promise<SessionEnd>;
  /** The bytes that the events of a session name, whoever writes it. Throws for what is no name of a session. */
  blobs(id: string): BlobStore;
  /** Newest first. `onUnread` is told of each that is there and that the system does not let be read. */
  list(onUnread?: OnUnread): Promise<readonly SessionSummary[]>;
}

export type OnUnread = (id: string, error: Error) => void;
