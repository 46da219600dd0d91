import { expect, test } from 'vitest';
import { endOfRestore, restoreFiles } from '../../../../extension/core/checkpoints/restore/restore.ts';
import { undoStackOf } from '../../../../extension/core/checkpoints/undo-stack.ts';
import { LONGEST_LINE } from '../../../../extension/core/log/hash-chain.ts';
import { MemorySessionLog } from '../../../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { MemoryBlobStore } from '../../../../extension/core/ports/testing/memory-blob-store.ts';
import { nodeFileTree } from '../../../../extension/node/fs/node-file-tree.ts';

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

test('nor for one of files with very long paths', () => {
  const [before, after] = [{ kind: 'absent' }, { kind: 'link', target: '✓'.repeat(1_300) }] as const;
  const changes = Array.from({ length: 6_000 }, (_, index) => ({
    path: `/${'✓'.repeat(1_300)}${index}`,
    before,
    after,
  }));
  const drafts = endOfRestore(
    { id: 'restore', goal: { to: 1 }, files: [], changes },
    { roots: [], unknown: [] },
  );
  const sizes = drafts.map((draft) => Buffer.byteLength(JSON.stringify(draft)));
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(LONGEST_LINE);
});

test('a restore whose result no line can hold is refused before anything is done', async () => {
  const then = { kind: 'absent' } as const;
  const step = { kind: 'identical' } as const;
  const plan = Array.from({ length: 60_000 }, (_, index) => ({
    path: `/repo/${index}`,
    then,
    now: then,
    step,
  }));
  const never = () => Promise.reject(new Error('nothing may be done'));
  const ports = { files: nodeFileTree, blobs: new MemoryBlobStore(), roots: [], unknown: [] };
  const restored = restoreFiles(
    { id: 'restore', to: 1, plan, choices: new Map() },
    { ...ports, changes: { beginAt: never }, writer: { append: never, sync: never } },
  );
  await expect(restored).rejects.toThrow('60000 files are too many for one restore.');
});
