import { expect, test } from 'vitest';
import { FileHistory } from '../../../extension/core/checkpoints/file-history.ts';
import { ShownFiles } from '../../../extension/core/view/displayed-files.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { ABSENT, file, makes } from '../../support/file-events.ts';
import { storedEvents } from '../../support/panel-events.ts';

const says: EventDraft = { type: 'text', content: 'x' };
const imported: EventDraft = { type: 'imported', from: { session: 'other', head: '' }, cwd: '/here' };

test('what was done before an import is shown as it was then, and neither restored nor copied', () => {
  const shownIn = (drafts: readonly EventDraft[]) => {
    const events = storedEvents(drafts);
    const files = ShownFiles.of(events);
    return events
      .map(({ seq }) => files.stateAt('/a', seq))
      .map((state) => state?.kind === 'file' && state.hash);
  };
  const elsewhere = [makes(file('0'), file('1')), says, imported];
  expect(shownIn([...elsewhere, says])).toEqual(['1', '1', '1', '1']);
  expect(shownIn([says, ...elsewhere, says, makes(file('here'), file('2'))])).toEqual([
    ...['0', '1', '1', 'here', 'here', '2'],
  ]);
  const events = storedEvents([...elsewhere, makes(ABSENT, file('b'), '/b')]);
  const files = ShownFiles.of(events);
  expect(files.paths).toEqual(['/a', '/b']);
  expect(files.end).toBe(4);
  expect(files.isChangedAt('/a', 2)).toBe(true);
  expect(files.own.paths).toEqual(['/b']);
  expect(FileHistory.of(events).paths).toEqual(['/b']);
  expect([...files.own.changedSince(0).keys()]).toEqual(['/b']);
  expect(files.own.stateAt('/a', 1)).toBeUndefined();
});
