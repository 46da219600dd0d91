// A restore believes nothing that the files say was done: what lies there afterwards is read, and that is told.
import { appendFile, chmod, mkdir, readlink, symlink, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { bash, undoDesk, write } from '../support/undo-desk.ts';

/** All that is asked is done, and something else happens at the paths with these names at once, as by a formatter. */
function filesBesides(besides: Readonly<Record<string, (path: string) => Promise<void>>>): FileTree {
  const after = async (path: string, done: Promise<void>) => {
    await done;
    await besides[basename(path)]?.(path);
  };
  return {
    ...nodeFileTree,
    write: (path, ...rest) => after(path, nodeFileTree.write(path, ...rest)),
    link: (path, ...rest) => after(path, nodeFileTree.link(path, ...rest)),
    remove: (path, ...rest) => after(path, nodeFileTree.remove(path, ...rest)),
    makeDirectory: (path, ...rest) => after(path, nodeFileTree.makeDirectory(path, ...rest)),
  };
}

test('what holds something else than was written, with another mode, or is still there is not called identical', async () => {
  const files = filesBesides({
    'formatted.txt': (path) => appendFile(path, '\n'),
    'executable.txt': (path) => chmod(path, 0o755),
    'merged.txt': (path) => appendFile(path, 'and more\n'),
    'made.txt': (path) => appendFile(path, 'made again\n'),
    link: async (path) => {
      await unlink(path);
      await symlink('elsewhere', path);
    },
    folder: (path) => mkdir(path),
    'last.txt': () => appendFile(at('touched.txt'), 'by another program\n'),
  });
  const { at, put, read, run, restore, session } = await undoDesk({ files });
  const lines = 'one\ntwo\nthree\nfour\nfive\n';
  for (const name of ['formatted.txt', 'executable.txt', 'good.txt', 'last.txt']) await put(name, 'old\n');
  await put('merged.txt', lines);
  await put('touched.txt', 'old\n');
  await symlink('good.txt', at('link'));
  const to = await run(
    ...['formatted.txt', 'executable.txt', 'good.txt', 'last.txt', 'made.txt', 'touched.txt'].map((name) =>
      write(name, 'new\n'),
    ),
    write('merged.txt', lines.replace('one', 'ONE')),
    bash('ln -sfn last.txt link; mkdir folder'),
  );
  await put('merged.txt', `${lines.replace('one', 'ONE')}mine\n`);
  await put('touched.txt', 'old\n');
  expect(await restore(to)).toEqual({
    'executable.txt': 'kept',
    folder: 'kept',
    'formatted.txt': 'kept',
    'good.txt': 'identical',
    'last.txt': 'identical',
    link: 'kept',
    'made.txt': 'kept',
    'merged.txt': 'kept',
    'touched.txt': 'kept',
  });
  expect([await read('formatted.txt'), await readlink(at('link'))]).toEqual(['old\n\n', 'elsewhere']);
  expect(session.events.findLast(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringMatching(
      /^2 files identical to checkpoint: good\.txt, last\.txt\.\n.*executable\.txt was skipped: it has changed since\./,
    ),
  });
});
