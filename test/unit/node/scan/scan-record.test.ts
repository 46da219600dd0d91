// What lay in the workspace before a command, as the next process finds it written down.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryBeside } from '../../../../extension/node/fs/temporary-files.ts';
import { NodeWorkspaceScan } from '../../../../extension/node/scan/node-workspace-scan.ts';
import { removeOldRecords } from '../../../../extension/node/scan/scan-record.ts';
import { failure, watchFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const KEY = { session: 's', call: 'key' };
const SIGNAL = new AbortController().signal;

/** A workspace in which a command runs, with the record of it; `next` has what another process makes of such a record. */
async function recorded() {
  const folder = await tempDir();
  const [root, home] = [join(folder, 'workspace'), join(folder, 'home')];
  const scans = join(home, 'scans');
  await mkdir(join(root, 'src'), { recursive: true });
  for (const name of ['a', 'b', 'src/c']) await writeFile(join(root, name), name);
  const [scan, later] = [0, 1].map(() => new NodeWorkspaceScan({ roots: () => [root], home }));
  onTestFinished(async () => void (await Promise.all([scan?.close(), later?.close()])));
  const begun = await scan?.begin(KEY, SIGNAL);
  const names = async () => (await readdir(scans).catch(() => [])).filter((name) => !name.endsWith('.tmp'));
  await expect.poll(names).toHaveLength(1);
  const path = join(scans, (await names())[0] ?? '');
  const text = await readFile(path, 'utf8');
  await begun?.end();
  return {
    text,
    made: (name: string) => writeFile(join(root, name), 'by the command'),
    next: async (record: string) => {
      await writeFile(path, record);
      const found = await later?.resume(KEY);
      expect(await names(), 'it is used once').toEqual([]);
      return found?.changes.map((change) => change.path.slice(root.length + 1));
    },
  };
}

test('a record that was cut at any byte is no record: what was there before is not taken for made since', async () => {
  const { text, made, next } = await recorded();
  await made('new');
  expect(await next(text)).toEqual(['new']);
  for (let length = 0; length < text.length; length++)
    expect(await next(text.slice(0, length)), `cut at ${length}`).toBeUndefined();
});

test('neither is one of which a part is zeros, or of another form', async () => {
  const { text, next } = await recorded();
  const half = text.length / 2;
  expect(await next(text.slice(0, half) + '\0'.repeat(half))).toBeUndefined();
  expect(await next('\0'.repeat(text.length))).toBeUndefined();
  const [head = '', ...lines] = text.split('\n');
  const { count: _, ...others } = JSON.parse(head);
  for (const other of [others, [], null])
    expect(await next([JSON.stringify(other), ...lines].join('\n'))).toBeUndefined();
});

test.each(['writeFile', 'rename'])(
  'a record of which the %s fails leaves nothing half-written',
  async (name) => {
    const folder = await tempDir();
    const [root, home] = [join(folder, 'workspace'), join(folder, 'home')];
    await mkdir(root);
    let failures = 0;
    const stop = watchFiles(join(home, 'scans'), async (operation, perform) => {
      if (operation.name !== name) return perform();
      if (name === 'writeFile') await perform();
      failures += 1;
      throw failure(operation.name, operation.path);
    });
    onTestFinished(stop);
    const scan = new NodeWorkspaceScan({ roots: () => [root], home });
    onTestFinished(() => scan.close());
    const begun = await scan.begin(KEY, SIGNAL);
    await expect.poll(() => failures).toBe(1);
    await begun.end();
    expect(await readdir(join(home, 'scans'))).toEqual([]);
  },
);

test('what a process that died has left half-written goes with the next start', async () => {
  const home = await tempDir();
  const scans = join(home, 'scans');
  await mkdir(scans);
  const own = basename(temporaryBeside(join(scans, 'record')));
  for (const name of [own, own.replace(String(process.pid), '2147483647'), 'record'])
    await writeFile(join(scans, name), '');
  await removeOldRecords(home);
  expect((await readdir(scans)).sort()).toEqual([own, 'record'].sort());
});
