import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { Draft } from '../../protocol/draft-messages.ts';

/** Stores the unsent content of an input, so that a reload of the window keeps it. */
export interface DraftFiles {
  /**
   * The draft of the session with this id, or of the next session if `session` is empty. Rejects if it cannot
   * be read.
   */
  read(session: string): Promise<Draft>;
  /** Rejects if it cannot be written. Drops the draft of a deleted session. */
  write(session: string, draft: Draft): Promise<void>;
}

/** Stores a session's queued prompts, in order. */
export interface QueueFiles {
  /** Rejects if they cannot be read. A damaged file is set aside, and the next call finds none. */
  read(session: string): Promise<readonly TypedPrompt[]>;
  write(session: string, prompts: readonly TypedPrompt[]): Promise<void>;
}
