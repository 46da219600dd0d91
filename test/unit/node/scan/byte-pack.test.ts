import { expect, onTestFinished, test } from 'vitest';
import { BytePack } from '../../../../extension/node/scan/byte-pack.ts';
import { failure, watchFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('what the disk did not take is not read back as zeros, and what comes behind it is', async () => {
  const folder = await tempDir();
  let isFull = true;
  const stop = watchFiles(folder, ({ name, path }, perform) => {
    if (isFull && name === 'handle.write') throw failure(name, path);
    return perform();
  });
  onTestFinished(stop);
  const pack = await BytePack.open(folder, 1_000);
  const lost = await pack.add(Buffer.from('lost'));
  await expect(pack.flush()).rejects.toThrow('ENOSPC');
  isFull = false;
  const kept = await pack.add(Buffer.from('kept'));
  await pack.flush();
  if (!lost || !kept) throw new Error('there was room');
  await expect(pack.get(lost)).rejects.toThrow('these bytes were not kept');
  expect(String(await pack.get(kept))).toBe('kept');
  await pack.close();
});
