// Notices about what another program did to a log while Harness had it open.
import { say } from '../../protocol/say.ts';

interface Notice {
  readonly type: 'notice';
  readonly message: string;
}

/**
 * Notices that go into the log before its next event. Each message is queued only once until a write
 * succeeds.
 */
export class LogNotices {
  #pending: Notice[] = [];
  readonly #reported = new Set<string>();

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  add(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#pending.push({ type: 'notice', message });
  }

  take(): readonly Notice[] {
    return this.#pending.splice(0);
  }

  /** Call after a successful write, so that the same message can be reported again. */
  forget(): void {
    this.#reported.clear();
  }
}

export const WRITTEN_ANEW = say(
  'The folder of this session was removed or moved while it was open. Harness has written the log again. Nothing of the conversation is lost.',
);

/**
 * The reason why Harness no longer writes to the log, as the end of a sentence. `aside` names the file that
 * Harness writes instead.
 */
export function takenOver(aside: string): string {
  return say(
    'another process has continued this session; open it again to continue there; this conversation is saved as {0}',
    aside,
  );
}

/** Like `takenOver`, for a log that was restored from a backup before the other process continued it. */
export function takenOverEarlier(aside: string): string {
  return say(
    'another process has continued an earlier state of this session; this conversation is saved as {0}',
    aside,
  );
}

export function notKept(trouble: string): string {
  return say(
    'Could not store the system prompt and tools of a request: {0.}. Harness tries again with the next request.',
    trouble,
  );
}

export function versionsLost(count: number): string {
  return say(
    'Stored file versions of this session are lost ({0}). Changes that need them cannot be undone.',
    count,
  );
}

export function replacedBy(aside: string): string {
  return say(
    'Another file replaced this session’s log while it was open. Harness restored its own log and kept the other file as {0}.',
    aside,
  );
}
