// The commands that move a panel through the time of a session.
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { argumentOf } from '../base/command-argument.ts';
import type { PanelView } from '../panel/panel.ts';
import { TimelineView } from './timeline-view.ts';

/** An event of a session. */
export interface TimePoint {
  readonly session: string;
  readonly seq: number;
}

/** Argument from the timeline, other extensions and scripts. The panel and the palette pass none. */
const pointArgument = z.object({
  session: z.optional(z.string()),
  seq: z.optional(z.int()),
  /** Keyboard focus stays in place. */
  preserveFocus: z.optional(z.boolean()),
});

/** Shows a session after event `seq`, by default the newest one. Rejects if there is no such event. */
export async function timeTravel(panel: PanelView, argument: unknown): Promise<TimePoint> {
  const { session, seq, preserveFocus } = argumentOf(pointArgument, argument);
  if (session !== undefined) {
    await panel.sessions.show(session);
    await panel.sessions.whole();
  }
  const { id, log } = panel.sessions.shown;
  panel.travel.goTo(seq ?? log.events.at(-1)?.seq ?? 0);
  if (!preserveFocus) await panel.reveal();
  return { session: id, seq: panel.travel.past?.seq ?? 0 };
}

/** The point that a command is about: its argument, else the point that the panel shows. */
export function pointOf(panel: PanelView, argument: unknown): TimePoint {
  const { session, seq } = argumentOf(pointArgument, argument);
  const { shown } = panel.sessions;
  return {
    session: session ?? shown.id,
    seq: seq ?? panel.travel.past?.seq ?? shown.log.events.at(-1)?.seq ?? 0,
  };
}

export async function showTimeline(): Promise<void> {
  await TimelineView.show(true);
  await vscode.commands.executeCommand('harness.timeline.focus');
}
