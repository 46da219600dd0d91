import { expect, test } from 'vitest';
import { allOrNothing } from '../../../extension/headless/interrupts.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('where a disk takes nothing, the folder is named, and what is wrong', async () => {
  const folder = await tempDir();
  const work = (message: string, code: string) =>
    allOrNothing(folder, () => Promise.reject(Object.assign(new Error(message), { code })));
  await expect(work('ENOSPC: no space left on device, write', 'ENOSPC')).rejects.toThrow(
    `nothing was written to ${folder}: the disk is full (ENOSPC: no space left on device, write)`,
  );
  await expect(work('EACCES: permission denied, open', 'EACCES')).rejects.toThrow(/^EACCES/);
});
