// What an import looks at before anything is there, and what is on the disk when it says that it is done.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ArchiveError } from '../../../../extension/node/archive/read-archive.ts';
import { lockOf, logOf } from '../../../../extension/node/log/session-files.ts';
import { watchFiles } from '../../../support/files.ts';
import { machine, session } from '../../../support/machine.ts';

const OTHER = '20240101000000-aaaabbbb';

test('a log of another session than the file says is none', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  const { path } = await here.export(id);
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  await writeFile(path, gzipSync(lines.with(0, (lines[0] ?? '').replace(id, OTHER)).join('\n')));
  const failure: unknown = await there.import(path).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ArchiveError);
  expect(String(failure)).toContain('“events.jsonl” in this file is not valid');
  expect(await there.names()).toEqual([]);
});

test('a file that unpacks to more than an import takes is refused where that shows, and nothing stays', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here, { type: 'text', content: 'x'.repeat(300_000) });
  const { path } = await here.export(id);
  const size = gunzipSync(await readFile(path)).length;
  expect((await stat(path)).size).toBeLessThan(size / 10);
  await expect(there.import(path, '/there', size - 1)).rejects.toThrow('unpacks to more than 8 GB');
  expect(await there.names()).toEqual([]);
  expect(await there.import(path, '/there', size)).toMatchObject({ as: 'itself' });
});

/** Files below `folder` whose bytes a loss of power may take, by what was done since this was called. */
function unsyncedBelow(folder: string) {
  const unsynced = new Set<string>();
  const move = (from: string, to: string) => {
    for (const path of [...unsynced]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      unsynced.delete(path);
      unsynced.add(to + path.slice(from.length));
    }
  };
  const stop = watchFiles(folder, async ({ name, path, args }, perform) => {
    const result = await perform();
    const isFlushed = (args.at(-1) as { flush?: boolean } | undefined)?.flush === true;
    if (name === 'writeFile') unsynced[isFlushed ? 'delete' : 'add'](path);
    // What was there before may not be synced either.
    if (name === 'appendFile' && !isFlushed) unsynced.add(path);
    if (name === 'handle.write' || name === 'handle.writeFile') unsynced.add(path);
    if (name === 'handle.sync' || name === 'handle.datasync') unsynced.delete(path);
    if (name === 'rename') move(path, String(args[1]));
    if (name === 'rm' || name === 'unlink')
      for (const gone of [...unsynced])
        if (gone === path || gone.startsWith(`${path}/`)) unsynced.delete(gone);
    return result;
  });
  return { unsynced, stop };
}

test.each(['itself', 'copy'])(
  'a session that was imported as %s is on the disk, with its last line',
  async (as) => {
    const [here, there] = [await machine(), await machine()];
    const { id } = await session(here);
    const { path } = await here.export(id);
    if (as === 'copy') {
      const other = await there.import(path);
      await writeFile(logOf(there.root, other.id), 'another one');
    }
    const { unsynced, stop } = unsyncedBelow(there.root);
    const imported = await there.import(path);
    stop();
    expect(imported.as).toBe(as);
    // A lock holds as long as its process.
    expect([...unsynced].filter((name) => name !== lockOf(there.root, imported.id))).toEqual([]);
    expect(await readFile(logOf(there.root, imported.id), 'utf8')).toContain('"type":"imported"');
  },
);
