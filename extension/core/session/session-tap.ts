import type { SessionListener } from '../log/log-writer.ts';
import type { RunSettings } from '../loop/run-settings.ts';

/** What its users do with a session, in their own words. */
export type SessionInput =
  | 'prompt'
  | 'steer'
  | 'withdraw'
  | 'compact'
  | 'note'
  | 'record'
  | 'planRestore'
  | 'restore'
  | 'rename'
  | 'continue'
  | 'cancel'
  | 'retryNow'
  | 'close';

/** Stands between a session and those who use it, and sees what passes. It must not throw. */
export interface SessionTap extends Required<SessionListener> {
  /** Something is asked of the session. Its arguments are plain data; the number tells one input from another. */
  input(name: SessionInput, given: readonly unknown[]): number;
  /** What the session asks instead. */
  settings(ask: () => Promise<RunSettings>): () => Promise<RunSettings>;
  /** Who listens instead. */
  listener(listener: SessionListener): SessionListener;
}
