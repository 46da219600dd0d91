import type { EventDraft } from '../../protocol/events.ts';
import type { SessionLog } from '../ports/event-store.ts';
import { changesOfInterrupted } from './interrupted-changes.ts';
import { endInterruptedRestores } from './interrupted-restores.ts';
import { closeInterrupted } from './recovery.ts';
import type { RunPlace } from './session-run.ts';

/** The events with which a session goes on whose process has died: what had to be mended, and the end of all that it left open. */
export async function endsOfLeftOpen(
  { past, repairs, blobs }: SessionLog,
  { ports: { files, workspace }, changes }: Pick<RunPlace, 'ports' | 'changes'>,
): Promise<readonly EventDraft[]> {
  return [
    ...repairs.map((message) => ({ type: 'notice', message }) as const),
    ...(await changesOfInterrupted(past, changes)),
    ...closeInterrupted(past),
    ...(files ? await endInterruptedRestores(past, { files, blobs }, workspace) : []),
  ];
}
