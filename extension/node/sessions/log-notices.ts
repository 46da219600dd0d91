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
  #untold: Notice[] = [];
  readonly #told = new Set<string>();

  get isEmpty(): boolean {
    return this.#untold.length === 0;
  }

  add(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#untold.push({ type: 'notice', message });
  }

  take(): readonly Notice[] {
    return this.#untold.splice(0);
  }

  /** Call after a successful write, so that the same message can be reported again. */
  forget(): void {
    this.#told.clear();
  }
}

export const WRITTEN_ANEW = say(
  'The folder of this session was removed or moved while it was open. Harness has written its log anew; nothing that was said is lost.',
);

/**
 * The reason why Harness no longer writes to the log, as the end of a sentence. `aside` names the file that
 * Harness writes instead.
 */
export function takenOver(aside: string): string {
  return say(
    'another process has gone on with this session; open it again to go on from there; all that was said here is kept as {0}',
    aside,
  );
}

/** Like `takenOver`, for a log that was restored from a backup before the other process continued it. */
export function takenOverEarlier(aside: string): string {
  return say(
    'another process has gone on with an earlier state of this session; all that was said here is kept as {0}',
    aside,
  );
}

export function notKept(trouble: string): string {
  return say(
    'The system prompt and the tools of a request could not be kept: {0.}. Harness tries again with the next request.',
    trouble,
  );
}

export function versionsLost(count: number): string {
  return say(
    'Versions of files that this session had kept are lost ({0}): what needs them cannot be undone.',
    count,
  );
}

export function replacedBy(aside: string): string {
  return say(
    'Another file took the place of this session’s log while it was open. Harness has put its own back; the other one is kept as {0}.',
    aside,
  );
}
