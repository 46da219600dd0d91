import type { SessionSummary } from '../core/ports/event-store.ts';
import { stateOf } from '../core/session/session-state.ts';
import { titleOf, titleOfPrompt } from '../core/session/session-title.ts';
import { advanceHead } from '../core/view/head-fold.ts';
import { type EventType, parseEvent, type SessionEvent } from '../protocol/events.ts';
import { emptyHead } from '../protocol/head.ts';

const LINE_FEED = 10;
/** How an event of ours begins in its line. */
const TYPE = /^\{"type":"(\w+)"/;
/** Bytes that hold the longest type. */
const TYPE_BYTES = 40;
/** Events that are short and that a summary is made of. Of the rest, which are most of a log, only the type is read. */
const NEEDED = new Set<string>([
  'session_started',
  'user',
  'turn_started',
  'permission_request',
  'permission',
  'title',
  'turn_ended',
] satisfies EventType[]);

/** What a list shows of session `id`, whose log is `bytes`. `state` is what its writer was doing at the end. */
export function summarizeLog(id: string, bytes: Buffer): SessionSummary {
  const fold = new SummaryFold();
  for (const line of linesOf(bytes)) fold.take(line);
  return { id, ...fold.summary() };
}

class SummaryFold {
  /** What gives the session its title: names, and the prompts up to the first with words. */
  readonly #titling: SessionEvent[] = [];
  #hasWords = false;
  #prompts = 0;
  #cwd = '';
  #head = emptyHead;
  /** The last one that says something new; a name does not. */
  #last: Buffer | undefined;

  take(line: Buffer): void {
    const type = TYPE.exec(line.toString('latin1', 0, TYPE_BYTES))?.[1];
    if (type !== 'title') this.#last = line;
    if (type !== undefined && !NEEDED.has(type) && !this.#isAnswer(type)) return;
    const event = readEvent(line);
    if (event) this.#apply(event);
  }

  summary(): Omit<SessionSummary, 'id'> {
    return {
      title: titleOf(this.#titling) || 'New session',
      cwd: this.#cwd,
      updated: (this.#last && readEvent(this.#last)?.timestamp) ?? 0,
      prompts: this.#prompts,
      state: stateOf(this.#head),
    };
  }

  /** A result voids the question whether the call may run. */
  #isAnswer(type: string): boolean {
    return type === 'tool_result' && this.#head.approvals.length > 0;
  }

  #apply(event: SessionEvent): void {
    this.#head = advanceHead(this.#head, event);
    if (event.type === 'session_started') this.#cwd = event.cwd;
    else if (event.type === 'title') this.#titling.push(event);
    else if (event.type === 'user') {
      if (!this.#hasWords) this.#titling.push(event);
      this.#hasWords ||= titleOfPrompt(event.content) !== '';
      this.#prompts += 1;
    }
  }
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    if (end > start) yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Undefined for a damaged line, and for a type of another version. */
function readEvent(line: Buffer): SessionEvent | undefined {
  try {
    return parseEvent(JSON.parse(line.toString('utf8')));
  } catch {
    return undefined;
  }
}
