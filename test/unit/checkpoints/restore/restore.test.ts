import { expect, test } from 'vitest';
import { endOfRestore } from '../../../../extension/core/checkpoints/restore/restore.ts';
import { undoStackOf } from '../../../../extension/core/checkpoints/undo-stack.ts';
import { MemorySessionLog } from '../../../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';

test('no line of the log is too long for a restore of very many files, and it can be done again as one', async () => {
  const [before, after] = [{ kind: 'absent' }, { kind: 'directory', mode: 0o755 }] as const;
  const changes = Array.from({ length: 40_000 }, (_, index) => ({ path: `/repo/${index}`, before, after }));
  const files = changes.map(({ path }) => ({ path, outcome: 'identical' as const }));
  const log = new MemorySessionLog('s', new ManualClock());
  await log.append([
    { type: 'turn_started', turn: 1 },
    { type: 'files_changed', id: 'call', by: 'tool', changes },
  ]);
  const drafts = endOfRestore(
    { id: 'restore', goal: { to: 1 }, files, changes, uncovered: 'one was not read' },
    { roots: [], unknown: [] },
  );
  const restored = await log.append(drafts);
  const changed = restored.filter((event) => event.type === 'files_changed');
  expect(changed.flatMap((event) => event.changes)).toEqual(changes);
  expect(Math.max(...changed.map((event) => event.changes.length))).toBeLessThanOrEqual(5_000);
  expect(changed.filter(({ uncovered }) => uncovered !== undefined)).toHaveLength(1);
  expect(undoStackOf(await log.load(1, 100)).redo?.to).toBe(3);
});
