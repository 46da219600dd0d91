import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { logOf } from '../../../../extension/node/log/session-files.ts';
import { watchFiles } from '../../../support/files.ts';
import { machine } from '../../../support/machine.ts';

test.each(['itself', 'copy'] as const)(
  'what is imported as %s is on the disk, with its name, before it is in its place',
  async (as) => {
    const [here, there] = [await machine(), await machine()];
    const source = await here.store.create({ cwd: '/here', product: 'test' });
    await source.append([{ type: 'user', content: 'Look' }]);
    await source.close();
    const { path } = await here.export(source.id);
    if (as === 'copy') {
      await mkdir(join(there.root, source.id));
      await writeFile(logOf(there.root, source.id), 'another one');
    }
    const unsynced = new Set<string>();
    let brought: string[] | undefined;
    const stop = watchFiles(there.root, ({ name, path, args }, perform) => {
      const made = name === 'rename' ? String(args[1]) : path;
      if (name === 'rename' && dirname(made) === there.root) brought = [...unsynced];
      if (name === 'writeFile' || name === 'rename') unsynced.add(dirname(made));
      const isFlushed = (args[2] as { flush?: boolean } | undefined)?.flush;
      if ((name === 'writeFile' || name === 'appendFile') && !isFlushed) unsynced.add(path);
      if (name === 'handle.sync') unsynced.delete(path);
      return perform();
    });
    expect(await there.import(path)).toMatchObject({ as });
    stop();
    expect(brought).toEqual([]);
    expect([...unsynced], 'its own name').toEqual([]);
  },
);
