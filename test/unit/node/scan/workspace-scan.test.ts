// What a look at the workspace costs, and what it leaves out.
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { NodeWorkspaceScan } from '../../../../extension/node/scan/node-workspace-scan.ts';
import type { ScanLimits } from '../../../../extension/node/scan/report-differences.ts';
import { type FileOperation, watchFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function workspace(limits: Partial<ScanLimits>) {
  const folder = await tempDir();
  const root = join(folder, 'workspace');
  const home = join(folder, 'home');
  await mkdir(root);
  const options = { roots: () => [root], home, limits: () => limits };
  const scan = new NodeWorkspaceScan({ ...options, own: [join(root, 'own')] });
  const operations: FileOperation[] = [];
  const stop = watchFiles(folder, (operation, perform) => {
    operations.push(operation);
    return perform();
  });
  onTestFinished(async () => {
    stop();
    await scan.close();
  });
  const paths = (name: string) =>
    operations.filter((operation) => operation.name === name).map(({ path }) => path);
  return { scan, options, home, paths, at: (name: string) => join(root, name) };
}

/** Resolves with what ends the scan. */
async function begin(scan: NodeWorkspaceScan, call?: string) {
  const command = call === undefined ? undefined : { session: 's', call };
  const begun = await scan.begin(command, new AbortController().signal);
  return () => begun.end();
}

/** Resolves when what lay there before a command is on the disk. */
async function recorded(home: string): Promise<void> {
  await expect
    .poll(async () =>
      (await readdir(join(home, 'scans')).catch(() => [])).filter((name) => !name.endsWith('.tmp')),
    )
    .toHaveLength(1);
}

test('a file for which there is no room is not read, however often it is looked at', async () => {
  const { scan, paths, at } = await workspace({ maxBytes: 500_000 });
  for (let index = 0; index < 6; index++) await writeFile(at(`f${index}`), Buffer.alloc(150_000, index));
  await (await begin(scan))();
  const end = await begin(scan);
  await writeFile(at('f5'), 'changed');
  const { changes } = await end();
  expect(new Set(paths('readFile'))).toEqual(new Set([at('f0'), at('f1')]));
  expect(changes.map(({ path }) => path)).toEqual([at('f5')]);
});

test('a folder with more in it than may be looked at is named, and the others are looked at', async () => {
  const { scan, at } = await workspace({ maxEntries: 20 });
  for (const folder of ['images', 'src']) await mkdir(at(folder));
  for (let index = 0; index < 30; index++) await writeFile(at(`images/i${index}`), '');
  const end = await begin(scan);
  await writeFile(at('src/a.ts'), 'a');
  await rm(at('images/i1'));
  const { changes, uncovered } = await end();
  expect(changes.map(({ path }) => path)).toEqual([at('src/a.ts')]);
  expect(uncovered).toBe('Harness did not check these folders (1) for changes: images.');
});

test('thousands of changes of one command are all listed', async () => {
  const { scan, at } = await workspace({});
  const end = await begin(scan);
  for (let index = 0; index < 2_500; index++) await writeFile(at(`f${index}`), '');
  const { changes, uncovered } = await end();
  expect([changes.length, uncovered]).toEqual([2_500, undefined]);
});

test('of a folder that can be made again fewer changes are listed, after those of the user', async () => {
  const { scan, at } = await workspace({ maxChanges: 4, maxMadeChanges: 2 });
  const end = await begin(scan);
  await mkdir(at('node_modules'));
  for (const name of ['node_modules/a', 'node_modules/b', 'node_modules/c', 'z'])
    await writeFile(at(name), '');
  const { changes, uncovered } = await end();
  expect(changes.map(({ path }) => path)).toEqual([
    at('node_modules'),
    at('node_modules/a'),
    at('node_modules/b'),
    at('z'),
  ]);
  expect(uncovered).toBe('1 more changes are not listed.');
});

test('what was saved at once is noted at once', async () => {
  const { scan, home, paths, at } = await workspace({});
  const end = await begin(scan, 'key');
  await recorded(home);
  const saved = Array.from({ length: 50 }, (_, index) => at(`f${index}`));
  for (const path of saved) await writeFile(path, 'mine');
  await scan.absorb(saved);
  expect(paths('appendFile')).toHaveLength(1);
  expect((await end()).changes).toEqual([]);
});

test('a folder that the user takes away is gone with all that lay in it', async () => {
  const { scan, at } = await workspace({});
  await mkdir(at('folder/deep'), { recursive: true });
  await writeFile(at('folder/deep/a.ts'), 'a');
  const end = await begin(scan);
  await rm(at('folder'), { recursive: true });
  await scan.absorb([at('folder')]);
  await writeFile(at('made'), 'x');
  expect((await end()).changes.map(({ path }) => path)).toEqual([at('made')]);
});

/** As soon as the next look reads the file at `path`, which takes a thread. */
async function inNextLook(path: string, act: () => unknown): Promise<void> {
  await utimes(path, new Date(), new Date());
  const stop = watchFiles(path, async (_, perform) => {
    stop();
    await act();
    return perform();
  });
  onTestFinished(stop);
}

test.each(['before', 'behind'])(
  'what the user saves in the look %s a command is not its change',
  async (when) => {
    const { scan, at } = await workspace({});
    await writeFile(at('read'), Buffer.alloc(150_000));
    const [early, late, fresh] = [at('a'), at('z'), at('new')];
    for (const path of [early, late]) await writeFile(path, 'old');
    const save = async () => {
      const paths = [early, late, fresh];
      for (const path of paths) await writeFile(path, 'saved');
      void scan.absorb(setTimeout(20, paths));
    };
    if (when === 'before') await inNextLook(at('read'), save);
    const end = await begin(scan);
    await writeFile(at('made'), 'by the command');
    if (when === 'behind') await inNextLook(at('read'), save);
    expect((await end()).changes.map(({ path }) => path)).toEqual([at('made')]);
  },
);

test('what a command makes of what the user has saved in the look before it is its change', async () => {
  const { scan, at } = await workspace({});
  await writeFile(at('read'), Buffer.alloc(150_000));
  await writeFile(at('a'), 'old');
  await inNextLook(at('read'), async () => {
    await writeFile(at('a'), 'saved');
    void scan.absorb([at('a')]);
  });
  const end = await begin(scan);
  await writeFile(at('a'), 'formatted');
  const { changes } = await end();
  expect(changes.map(({ path }) => path)).toEqual([at('a')]);
  expect(String(await changes[0]?.before.bytes?.())).toBe('saved');
});

test('a folder that the user takes away in the look behind a command is gone with all that lay in it', async () => {
  const { scan, at } = await workspace({});
  await writeFile(at('read'), Buffer.alloc(150_000));
  await mkdir(at('folder/deep'), { recursive: true });
  await writeFile(at('folder/deep/a.ts'), 'a');
  const end = await begin(scan);
  await rm(at('folder'), { recursive: true });
  await writeFile(at('made'), 'x');
  await inNextLook(at('read'), () => void scan.absorb([at('folder')]));
  expect((await end()).changes.map(({ path }) => path)).toEqual([at('made')]);
});

test.each(['in the look before', 'during'])(
  'what a command puts into a folder that the user makes %s it is its change',
  async (when) => {
    const { scan, home, at, options } = await workspace({});
    await writeFile(at('read'), Buffer.alloc(150_000));
    const make = async () => {
      await mkdir(at('folder/deep'), { recursive: true });
      await writeFile(at('folder/deep/mine'), 'x');
      void scan.absorb([at('folder'), at('folder/deep'), at('folder/deep/mine')]);
    };
    if (when !== 'during') await inNextLook(at('read'), make);
    const end = await begin(scan, 'key');
    await recorded(home);
    if (when === 'during') await make();
    await setTimeout(200);
    await writeFile(at('folder/made'), 'x');
    await writeFile(at('folder/deep/made'), 'x');
    const next = new NodeWorkspaceScan(options);
    const changes = [at('folder/deep/made'), at('folder/made')];
    expect
      .soft((await next.resume({ session: 's', call: 'key' }))?.changes.map(({ path }) => path))
      .toEqual(changes);
    expect((await end()).changes.map(({ path }) => path)).toEqual(changes);
    await next.close();
  },
);

test('what lies in a folder that the user brings is no change where it is too much to be named', async () => {
  const { scan, options, home, at } = await workspace({});
  await mkdir(at('old'));
  await writeFile(at('old/a'), 'a');
  const end = await begin(scan, 'key');
  await recorded(home);
  await rename(at('old'), at('new'));
  await scan.absorb([at('old'), at('new')]);
  await rename(at('new'), at('old'));
  await scan.absorb([at('new'), at('old')]);
  const next = new NodeWorkspaceScan(options);
  expect.soft((await next.resume({ session: 's', call: 'key' }))?.changes).toEqual([]);
  expect((await end()).changes).toEqual([]);
  await next.close();
});

test('what the user saves where nothing is looked at is no change, in the workspace or beside it', async () => {
  const { scan, options, home, at } = await workspace({});
  for (const folder of ['.git', 'inner/.git', '../other']) await mkdir(at(folder), { recursive: true });
  const end = await begin(scan, 'key');
  await recorded(home);
  const saved = [
    '.git/COMMIT_EDITMSG',
    'inner/.git/config',
    'own',
    '../other/a.ts',
    '../home/settings.json',
  ].map(at);
  for (const path of saved) await writeFile(path, 'mine');
  await scan.absorb(saved);
  const next = new NodeWorkspaceScan(options);
  expect.soft((await next.resume({ session: 's', call: 'key' }))?.changes).toEqual([]);
  expect((await end()).changes).toEqual([]);
  await next.close();
});

test('what an interrupted command has left beside another one is told to be of either', async () => {
  const { scan, home, at } = await workspace({});
  await begin(scan, 'long');
  await expect.poll(() => readdir(join(home, 'scans')).catch(() => [])).toHaveLength(1);
  const end = await begin(scan, 'short');
  await writeFile(at('made'), 'by the short one');
  expect((await end()).changes).toMatchObject([{ path: at('made'), isShared: true }]);
  const { changes, uncovered } = (await scan.resume({ session: 's', call: 'long' })) ?? {};
  expect(changes).toMatchObject([{ path: at('made'), isShared: true }]);
  expect(uncovered).toContain('Either command may have changed these paths (1): made.');
});

test('what is Harness’s own is no change, also for who goes on after a kill and does not know of it', async () => {
  const { scan, options, home, at } = await workspace({});
  await writeFile(at('own'), 'one');
  const end = await begin(scan, 'key');
  await writeFile(at('own'), 'two');
  await writeFile(at('made'), 'x');
  await recorded(home);
  const next = new NodeWorkspaceScan(options);
  expect((await next.resume({ session: 's', call: 'key' }))?.changes.map(({ path }) => path)).toEqual([
    at('made'),
  ]);
  expect((await end()).changes.map(({ path }) => path)).toEqual([at('made')]);
  await next.close();
});

test.each([
  { what: 'above the workspace', own: '..' },
  { what: 'above one of its folders, in the other one', own: 'own' },
])('a folder of Harness’s own $what hides nothing of the workspace after a kill', async ({ own }) => {
  const { options, home, at } = await workspace({});
  await mkdir(at('own/inner'), { recursive: true });
  const roots = [at('.'), at('own/inner')];
  const scan = new NodeWorkspaceScan({ ...options, roots: () => roots, own: [at(own)] });
  const end = await begin(scan, 'key');
  await writeFile(at('own/inner/made'), 'x');
  await recorded(home);
  const next = new NodeWorkspaceScan({ ...options, roots: () => roots, own: [] });
  expect((await next.resume({ session: 's', call: 'key' }))?.changes.map(({ path }) => path)).toEqual([
    at('own/inner/made'),
  ]);
  expect((await end()).changes.map(({ path }) => path)).toEqual([at('own/inner/made')]);
  await Promise.all([next.close(), scan.close()]);
});
