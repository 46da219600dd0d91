import type { SessionListener } from '../log/log-writer.ts';
import type { RunSettings } from '../loop/run-settings.ts';

/**
 * What callers do with a session: its methods by name, and `withdraw`, which aborts a message sent with
 * `steer`.
 */
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
  | 'actOnCall'
  | 'stopBackground'
  | 'keepBackground'
  | 'endBackground'
  | 'reportBackground'
  | 'close';

/** Stands between a session and its callers, and observes what passes. Must not throw. */
export interface SessionTap extends Required<SessionListener> {
  /**
   * A caller invokes the session. The arguments `given` are plain data. The returned number identifies this
   * input.
   */
  input(name: SessionInput, given: readonly unknown[]): number;
  /** Returns the function that the session calls instead of `ask`. */
  settings(ask: () => Promise<RunSettings>): () => Promise<RunSettings>;
  /** Returns the listener that the session calls instead of `listener`. */
  listener(listener: SessionListener): SessionListener;
}
