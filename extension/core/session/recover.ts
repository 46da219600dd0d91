import type { EventDraft } from '../../protocol/events.ts';
import type { SessionLog } from '../ports/session-store.ts';
import { closeOpenEvents } from './close-open-events.ts';
import { recoverInterruptedChanges } from './interrupted-changes.ts';
import { endInterruptedRestores } from './interrupted-restores.ts';
import type { RunContext } from './session-run.ts';

/**
 * The first events of a session whose previous process died: the repairs of its log, and the end of
 * everything left open.
 */
export async function recoveryEvents(
  { past, repairs, blobs }: SessionLog,
  { ports: { files, workspace }, changes }: Pick<RunContext, 'ports' | 'changes'>,
): Promise<readonly EventDraft[]> {
  return [
    ...repairs.map((message) => ({ type: 'notice', message }) as const),
    ...(await recoverInterruptedChanges(past, changes)),
    ...closeOpenEvents(past),
    ...(files ? await endInterruptedRestores(past, { files, blobs }, workspace) : []),
  ];
}
