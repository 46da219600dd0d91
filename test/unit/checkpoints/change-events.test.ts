// What a call changed, as events of the log.
import { expect, test } from 'vitest';
import { changeEvents } from '../../../extension/core/checkpoints/change-events.ts';
import { restorePointsOf } from '../../../extension/core/checkpoints/restore-points.ts';
import type { FileChange, SessionEvent } from '../../../extension/protocol/events.ts';

const changes: readonly FileChange[] = Array.from({ length: 5_200 }, (_, index) => ({
  path: `/w/f${index}`,
  before: { kind: 'absent' },
  after: { kind: 'link', target: 'a' },
}));

test('very many changes of a call are several events, and one restore point', () => {
  const events = changeEvents('call', { changes, uncovered: 'some are unknown', trouble: 'full' });
  expect(events.map((event) => (event.type === 'files_changed' ? event.changes.length : event))).toEqual([
    5_000,
    200,
    { type: 'notice', message: 'full' },
  ]);
  expect(events.map((event) => 'uncovered' in event && event.uncovered)).toEqual([
    false,
    'some are unknown',
    false,
  ]);
  const stored = events.map((event, index): SessionEvent => {
    return { ...event, seq: index + 1, prev: '', session: 's', timestamp: 0 };
  });
  expect(restorePointsOf(stored)).toMatchObject([{ next: 'call', files: 5_200, isUnknown: true }]);
});

test('a call that changed nothing has no event, unless something is unknown', () => {
  expect(changeEvents('call', { changes: [] })).toEqual([]);
  expect(changeEvents('call', { changes: [], uncovered: 'unknown' })).toEqual([
    { type: 'files_changed', id: 'call', by: 'tool', changes: [], uncovered: 'unknown' },
  ]);
});
