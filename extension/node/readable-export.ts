import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import { conversationHtml } from '../core/view/conversation-html.ts';
import { conversationMarkdown } from '../core/view/conversation-markdown.ts';
import type { SessionEvent } from '../protocol/events.ts';

export type ReadableFormat = 'md' | 'html';

/** By what is exported, how the name of a file ends. */
export const EXPORT_EXTENSIONS = { session: 'harness-session', md: 'md', html: 'html' } as const;

export interface ReadableExport {
  readonly text: string;
  /** Events in which secrets were hidden. */
  readonly hidden: number;
}

/** A conversation for people. What an older version has written is cleaned of secrets first. */
export async function readableExport(
  events: AsyncIterable<readonly SessionEvent[]>,
  format: ReadableFormat,
  secrets: SecretFilter,
): Promise<ReadableExport> {
  const clean: SessionEvent[] = [];
  let hidden = 0;
  for await (const stretch of events) {
    for (const event of stretch) {
      const cleaned = secrets.draft(event);
      if (cleaned !== event) hidden += 1;
      clean.push(cleaned);
    }
  }
  const write = format === 'md' ? conversationMarkdown : conversationHtml;
  return { text: write(clean), hidden };
}
