// What is told of a log, and in it, when somebody else has done something to it while it was open.
import { say } from '../../protocol/say.ts';

interface Notice {
  readonly type: 'notice';
  readonly message: string;
}

/** Those that go into the log with its next event, each once until that is written. */
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

  /** The log was written: what happens to it from now on is told again. */
  forget(): void {
    this.#told.clear();
  }
}

export const WRITTEN_ANEW = say(
  'The folder of this session was removed or moved while it was open. Harness has written its log anew; nothing that was said is lost.',
);

/** Why nothing is written into it any more, as the end of a sentence; `aside` is where that goes instead. */
export function takenOver(aside: string): string {
  return say(
    'another process has gone on with this session; open it again to go on from there; all that was said here is kept as {0}',
    aside,
  );
}

/** The same, where it was put back from a backup before. */
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
