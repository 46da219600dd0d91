// The commands that go through the time of a session, and go on from a point of it.
import * as z from 'zod/mini';
import type { PanelView } from './panel-view.ts';
import type { WindowParts } from './window.ts';

/** What other extensions and scripts may say; from the panel and the palette nothing is said. */
const point = z.object({ session: z.optional(z.string()), seq: z.optional(z.int()) });

/** Shows a session as it was after an event, the newest one where none is told. Rejects where there is no such event. */
export async function timeTravel(
  panel: PanelView,
  argument: unknown,
): Promise<{ session: string; seq: number }> {
  const { session, seq } = point.parse(argument ?? {});
  if (session !== undefined) {
    await panel.sessions.show(session);
    await panel.sessions.whole();
  }
  const { id, log } = panel.sessions.shown;
  panel.travel.goTo(seq ?? log.events.at(-1)?.seq ?? 0);
  await panel.reveal();
  return { session: id, seq: panel.travel.past?.seq ?? 0 };
}

/** Begins a session that goes on from an event, from where the panel stands where none is told. */
export async function forkSession(
  { sessions }: WindowParts,
  panel: PanelView,
  argument: unknown,
): Promise<{ session: string }> {
  const { session = sessions.shown.id, seq } = point.parse(argument ?? {});
  const here = panel.travel.log.events.at(-1)?.seq ?? 0;
  const fork = await sessions.branch(session, (seq ?? here) + 1);
  await panel.reveal();
  return { session: fork };
}
