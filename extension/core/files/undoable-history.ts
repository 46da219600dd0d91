import type { SessionEvent } from '../../protocol/events.ts';
import { isInside } from '../tools/is-inside.ts';
import { FileHistory } from './file-history.ts';

/**
 * The changes that may be taken back. Of what was imported from a file those alone that lie in the folder where the work
 * goes on, and only where it was that folder before: a file says anything.
 */
export function undoableHistory(events: readonly SessionEvent[]): FileHistory {
  const history = new FileHistory();
  const at = events.findLastIndex((event) => event.type === 'imported');
  const imported = events[at];
  for (const [index, event] of events.entries()) {
    if (imported?.type !== 'imported' || index > at) history.apply(event);
    else if (event.type === 'files_changed' && !imported.elsewhere)
      history.apply({ ...event, changes: event.changes.filter(({ path }) => isInside(imported.cwd, path)) });
  }
  return history;
}
