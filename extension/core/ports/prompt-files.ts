import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { Draft } from '../../protocol/draft-messages.ts';

/** Keeps what stands in an input, and was not sent, after this program has ended. */
export interface DraftFiles {
  /** Of the session with this id, or of the next session where `session` is empty. Rejects where it cannot be read. */
  read(session: string): Promise<Draft>;
  /** Rejects where it cannot be written. The draft of a session that was deleted is dropped. */
  write(session: string, draft: Draft): Promise<void>;
}

/** Keeps the prompts that wait in a session, in order. */
export interface QueueFiles {
  /** Rejects where they cannot be read; a file that is damaged is set aside, and the next call finds none. */
  read(session: string): Promise<readonly TypedPrompt[]>;
  write(session: string, prompts: readonly TypedPrompt[]): Promise<void>;
}
