import { sessionTitleOf, titleOfPrompt } from '../../core/log/session-title.ts';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { advanceHead, stateOf } from '../../core/view/session-head.ts';
import type { EventType, SessionEvent } from '../../protocol/events.ts';
import { emptyHead } from '../../protocol/head.ts';
import { logLines } from '../log/log-lines.ts';
import { readEvent } from '../log/read-record.ts';

/** How Harness begins the line of an event. */
const TYPE = /^\{"type":"(\w+)"/;
/** Bytes that cover the longest type. */
const TYPE_BYTES = 40;
/**
 * Types of short events that a summary needs. Of most other events, which are most of a log, only the type is
 * read.
 */
const NEEDED = new Set<string>([
  'session_started',
  'imported',
  'user',
  'turn_started',
  'permission_request',
  'permission',
  'title',
  'turn_ended',
] satisfies EventType[]);

/**
 * Builds the list entry of session `id` from the log at `path`. `state` is what the writer was doing at the
 * end of the log.
 */
export async function summarizeLog(id: string, path: string): Promise<SessionSummary> {
  const fold = new SummaryFold();
  for await (const lines of logLines(path)) {
    for (const { bytes } of lines) fold.take(bytes);
    fold.keep();
  }
  return { id, ...fold.summary() };
}

class SummaryFold {
  /** Events that set the title: `title` events, and prompts up to the first one with words. */
  readonly #titling: SessionEvent[] = [];
  #hasWords = false;
  #prompts = 0;
  #cwd = '';
  #head = emptyHead;
  /** The last line that is not a `title` event. */
  #last: Buffer | undefined;

  take(line: Buffer): void {
    const type = TYPE.exec(line.toString('latin1', 0, TYPE_BYTES))?.[1];
    if (type !== 'title') this.#last = line;
    if (type !== undefined && !NEEDED.has(type) && !this.#isAnswer(type)) return;
    const event = readEvent(line);
    if (event) this.#apply(event);
  }

  /** Copies the last line, because `logLines` reuses its buffer. */
  keep(): void {
    this.#last = this.#last && Buffer.from(this.#last);
  }

  summary(): Omit<SessionSummary, 'id'> {
    return {
      title: sessionTitleOf(this.#titling) || 'New session',
      cwd: this.#cwd,
      updated: (this.#last && readEvent(this.#last)?.timestamp) ?? 0,
      prompts: this.#prompts,
      state: stateOf(this.#head),
    };
  }

  /** A tool result settles the open approval of its call. */
  #isAnswer(type: string): boolean {
    return type === 'tool_result' && this.#head.approvals.length > 0;
  }

  #apply(event: SessionEvent): void {
    this.#head = advanceHead(this.#head, event);
    if (event.type === 'session_started' || event.type === 'imported') this.#cwd = event.cwd;
    else if (event.type === 'title') this.#titling.push(event);
    else if (event.type === 'user') {
      if (!this.#hasWords) this.#titling.push(event);
      this.#hasWords ||= titleOfPrompt(event.content) !== '';
      this.#prompts += 1;
    }
  }
}
