// What a restore does and says where an editor holds a file.
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FileHistory } from '../../extension/core/checkpoints/file-history.ts';
import { planRestore } from '../../extension/core/checkpoints/restore/plan.ts';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { WorkspaceError } from '../../extension/core/ports/workspace.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { undoDesk } from '../support/undo-desk.ts';

test('what an editor holds unsaved as it would be is written all the same: the disk may have something else', async () => {
  const { at, put, run, session, store } = await undoDesk();
  await put('a.txt', 'one\ntwo\nthree\nfour\n');
  const to = await run(['bash', { command: 'sed -i s/four/FOUR/ a.txt' }]);
  const typed = Buffer.from('typed one\ntwo\nthree\nfour\n');
  const files: FileTree = {
    ...nodeFileTree,
    look: async (path) => {
      const entry = await nodeFileTree.look(path);
      return entry.kind === 'file' ? { ...entry, isUnsaved: true } : entry;
    },
    read: async () => typed,
  };
  const ports = { files, blobs: store.blobs(session.id) };
  const [planned] = await planRestore(FileHistory.of(session.events), to, ports);
  expect(planned).toMatchObject({ path: at('a.txt'), step: { kind: 'merge' } });
  expect(planned?.step.kind === 'merge' && Buffer.from(planned.step.bytes)).toEqual(typed);
});

test('why a file was not restored is told in words for the user', async () => {
  const files: FileTree = {
    ...nodeFileTree,
    write: (path) => Promise.reject(new WorkspaceError('unsaved', path, 'words for the model')),
  };
  const { at, run, session } = await undoDesk({ files });
  await writeFile(at('a.txt'), 'one\n');
  const to = await run(['bash', { command: 'rm a.txt' }]);
  const plan = await session.planRestore(to);
  expect(await session.restore({ to, plan, choices: new Map() })).toEqual([
    { path: at('a.txt'), outcome: 'failed', reason: 'it has unsaved changes in an editor' },
  ]);
});
