import { MarkdownDocument } from '../../core/export/conversation-markdown.ts';
import { elide } from '../../core/log/elide.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import { cutSections } from '../../core/view/sections.ts';
import type { EventType, SessionEvent } from '../../protocol/events.ts';
import { lossOf } from '../sessions/repair-log.ts';

export type ReadableFormat = 'md' | 'html';

/** By what is exported, how the name of a file ends. */
export const EXPORT_EXTENSIONS = { session: 'harness-session', md: 'md', html: 'html' } as const;

export interface ReadableExport {
  /** To be read once. */
  readonly text: AsyncIterable<Uint8Array>;
  /** Events in which secrets were hidden. */
  readonly hidden: number;
  /** The log is damaged: what is intact of it is in the text, which says so. */
  readonly isMended: boolean;
}

/** Gives all intact events of a log, and tells how many of its lines hold none. */
export type ReadEvents = (onDamaged?: (lines: number) => void) => AsyncIterable<readonly SessionEvent[]>;

/** What tells of a log as a whole: its title, its costs, the files that it changed. */
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
 * A conversation for people. What an older version has written is cleaned of secrets first. `read` gives all events of a
 * log; it is called twice, so that none but those of one section have to be held.
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
  const text = textOf(facts, damaged > 0 ? told(events, lossOf(damaged)) : events, format);
  return { text, hidden, isMended: damaged > 0 };
}

/** Up to event `last`: a session may be written meanwhile. */
async function* cleaned(
  read: AsyncIterable<readonly SessionEvent[]>,
  last: number,
  secrets: SecretFilter,
): AsyncGenerator<SessionEvent> {
  for await (const events of read)
    for (const event of events) if (event.seq <= last) yield secrets.leaving(event);
}

/** With a notice at the end. */
async function* told(events: AsyncIterable<SessionEvent>, message: string): AsyncGenerator<SessionEvent> {
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

/** Loads the Markdown parser, which nothing else outside the panel needs. */
async function createHtmlDocument() {
  const { HtmlDocument } = await import('../../core/export/conversation-html.ts');
  return new HtmlDocument();
}
