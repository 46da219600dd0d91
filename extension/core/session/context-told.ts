import type { ContextText } from '../ports/context-source.ts';
import type { ReadLog } from '../view/log-window.ts';
import { heldContext } from './told-context.ts';
import { Transcript } from './transcript.ts';

/** What a log has told a model of each kind, and still holds, whole. */
export async function contextTold(log: ReadLog): Promise<readonly ContextText[]> {
  const transcript = new Transcript();
  for (const event of log.events) transcript.apply(event);
  const holding = [...heldContext(transcript.messages())].flatMap(
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
