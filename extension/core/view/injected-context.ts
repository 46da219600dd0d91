import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { currentContext } from '../context/missing-context.ts';
import { Transcript } from '../log/transcript.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { ReadLog } from './log-window.ts';

/** The context of each kind that the conversation in the log contains, whole. */
export async function injectedContextIn(log: ReadLog): Promise<readonly ContextText[]> {
  const transcript = new Transcript();
  for (const event of log.events) transcript.apply(event);
  const holding = [...currentContext(transcript.messages())].flatMap(
    ([kind, text]) =>
      log.events.findLast(
        (event) => event.type === 'context' && event.kind === kind && event.text === text,
      ) ?? [],
  );
  const whole = await Promise.all(holding.map((event) => log.whole([event])));
  return whole
    .flat()
    .filter((event) => event.type === 'context')
    .map(({ kind, text, sources }) => ({ kind, text, ...(sources && { sources }) }));
}

/**
 * The last request among these events. Ignores a request whose answer was the summary of the conversation.
 */
export function lastRequestIn(events: readonly SessionEvent[]): EventOf<'request_started'> | undefined {
  let isSummary = false;
  for (const event of events.toReversed()) {
    if (event.type === 'compaction') isSummary = true;
    else if (event.type === 'turn_started') isSummary = false;
    else if (event.type === 'request_started' && !isSummary) return event;
  }
  return undefined;
}
