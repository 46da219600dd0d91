import { expect, test } from 'vitest';
import { restorePointsOf } from '../../../extension/core/checkpoints/restore-points.ts';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';

test('of what was done before an import nothing can be taken back, and nothing is missing', async () => {
  const log = new MemorySessionLog('s', new ManualClock());
  const change = {
    path: '/a',
    before: { kind: 'absent' },
    after: { kind: 'link', target: 'b' },
  } as const;
  const events = await log.append([
    { type: 'files_changed', id: '1', by: 'tool', changes: [change], uncovered: 'not all was looked at' },
    { type: 'imported', from: { session: 'other', head: '' }, cwd: '/repo' },
    { type: 'files_changed', id: '2', by: 'tool', changes: [change], uncovered: 'not all was looked at' },
  ]);
  expect(restorePointsOf(events)).toMatchObject([
    { files: 1, isUnknown: true },
    { files: 0, isUnknown: false },
  ]);
});

test('folders come and go with what is in them: files alone are counted', async () => {
  const log = new MemorySessionLog('s', new ManualClock());
  const before = { kind: 'absent' } as const;
  const events = await log.append([
    {
      type: 'files_changed',
      id: '1',
      by: 'tool',
      changes: [
        { path: '/d', before, after: { kind: 'directory', mode: 0o755 } },
        { path: '/d/a', before, after: { kind: 'link', target: 'b' } },
      ],
    },
  ]);
  expect(restorePointsOf(events)).toMatchObject([{ files: 1 }]);
});
