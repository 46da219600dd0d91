import { MarkdownDocument } from '../../core/export/conversation-markdown.ts';
import { elide } from '../../core/log/elide.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import { cutSections } from '../../core/view/sections.ts';
import type { EventType, SessionEvent } from '../../protocol/events.ts';
import { lossOf } from '../sessions/repair-log.ts';

export type ReadableFormat = 'md' | 'html';

/** File name extension for each kind of export. */
export const EXPORT_EXTENSIONS = { session: 'harness-session', md: 'md', html: 'html' } as const;

export interface ReadableExport {
  /** The caller can read it only once. */
  readonly text: AsyncIterable<Uint8Array>;
  /** Number of events in which the export masked secrets. */
  readonly hidden: number;
  /** The log is damaged; the text contains its intact part and says so. */
  readonly isRepaired: boolean;
}

/** Yields all intact events of a log. Reports the number of lines that hold none to `onDamaged`. */
export type ReadEvents = (onDamaged?: (lines: number) => void) => AsyncIterable<readonly SessionEvent[]>;

/** Event types that describe the log as a whole: its title, its costs, the files that it changed. */
const FACTS: readonly EventType[] = [
  'session_started',
  'user',
  'title',
  'turn_started',
  'turn_ended',
  'request_started',
  'usage',
  'files_changed',
];

/**
 * Renders a conversation for people, and masks secrets that an older version wrote. `read` yields all events
 * of a log. Calls `read` twice, so that memory holds the events of only one section.
 */
export async function readableExport(
  read: ReadEvents,
  format: ReadableFormat,
  secrets: SecretFilter,
): Promise<ReadableExport> {
  const facts: SessionEvent[] = [];
  let [hidden, last, damaged] = [0, 0, 0];
  const onDamaged = (lines: number) => {
    damaged = lines;
  };
  for await (const events of read(onDamaged)) {
    for (const event of events) {
      const clean = secrets.leaving(event);
      if (clean !== event) hidden += 1;
      if (FACTS.includes(event.type)) facts.push(elide(clean));
      last = Math.max(last, event.seq);
    }
  }
  const events = cleaned(read(), last, secrets);
  const text = textOf(facts, damaged > 0 ? withNotice(events, lossOf(damaged)) : events, format);
  return { text, hidden, isRepaired: damaged > 0 };
}

/** Stops at event `last`, because another process may be writing the session. */
async function* cleaned(
  read: AsyncIterable<readonly SessionEvent[]>,
  last: number,
  secrets: SecretFilter,
): AsyncGenerator<SessionEvent> {
  for await (const events of read)
    for (const event of events) if (event.seq <= last) yield secrets.leaving(event);
}

/** Adds a notice at the end. */
async function* withNotice(
  events: AsyncIterable<SessionEvent>,
  message: string,
): AsyncGenerator<SessionEvent> {
  let last: SessionEvent | undefined;
  for await (const event of events) {
    last = event;
    yield event;
  }
  const { session = '', seq = 0, timestamp = 0 } = last ?? {};
  yield { type: 'notice', message, session, seq: seq + 1, timestamp, prev: '' };
}

async function* textOf(
  facts: readonly SessionEvent[],
  events: AsyncIterable<SessionEvent>,
  format: ReadableFormat,
): AsyncGenerator<Uint8Array> {
  const document = format === 'md' ? new MarkdownDocument() : await createHtmlDocument();
  yield Buffer.from(document.begin(facts));
  for await (const section of cutSections(events)) yield Buffer.from(document.section(section));
  yield Buffer.from(document.end());
}

/** Loads the Markdown parser on demand, because nothing else outside the panel needs it. */
async function createHtmlDocument() {
  const { HtmlDocument } = await import('../../core/export/conversation-html.ts');
  return new HtmlDocument();
}
