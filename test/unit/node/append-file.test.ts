import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppendFile } from '../../../extension/node/append-file.ts';
import { tempDir } from '../../support/temp-dir.ts';

function smallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', [folder]));
    return true;
  } catch {
    // Not root, or mounts are not allowed here.
    return false;
  }
}

test('a full disk takes nothing of what others appended to a shared file, and the next line stands alone', async (context) => {
  const folder = await tempDir();
  if (!smallDisk(folder)) return context.skip('no small file system can be mounted here');
  const path = join(folder, 'shared');
  const ours = new AppendFile(path, { shared: true });
  onTestFinished(() => ours.close());
  await ours.append(() => 'a1\n');
  await appendFile(path, 'b1\n');
  await expect(ours.append(() => `${'x'.repeat(100_000)}\n`)).rejects.toThrow('ENOSPC');
  expect((await readFile(path, 'utf8')).startsWith('a1\nb1\n')).toBe(true);
});

test('a shared file that is removed begins anew with the next line', async () => {
  const path = join(await tempDir(), 'shared');
  const ours = new AppendFile(path, { shared: true });
  onTestFinished(() => ours.close());
  await ours.append(() => 'a1\n');
  await rm(path);
  await ours.append((wasGone) => `a2 ${wasGone}\n`);
  await ours.append((wasGone) => `a3 ${wasGone}\n`);
  expect(await readFile(path, 'utf8')).toBe('a2 true\na3 false\n');
});
