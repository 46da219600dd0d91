import { execFileSync } from 'node:child_process';
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  formatListing,
  type ListedEntry,
  listWithoutLs,
} from '../../../../extension/node/processes/list-directory.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const entry = (name: string, changes: Partial<ListedEntry> = {}): ListedEntry => ({
  name,
  type: 'file',
  mode: 0o644,
  links: 1,
  owner: '0',
  group: '0',
  size: 12,
  modified: new Date(2026, 10, 3, 4, 5),
  ...changes,
});

it('prints the columns of ls -al', () => {
  const entries = [
    entry('b.txt', { size: 123_456 }),
    entry('.hidden', { modified: new Date(2020, 0, 31) }),
    entry('src', { type: 'directory', mode: 0o755, links: 12, size: 4096 }),
    entry('link', { type: 'link', mode: 0o777, target: 'src' }),
    entry('later', { modified: new Date(2027, 0, 1) }),
  ];
  expect(formatListing(entries, new Date(2026, 10, 20))).toBe(
    [
      'total 128',
      '-rw-r--r--  1 0 0     12 Jan 31  2020 .hidden',
      '-rw-r--r--  1 0 0 123456 Nov  3 04:05 b.txt',
      '-rw-r--r--  1 0 0     12 Jan  1  2027 later',
      'lrwxrwxrwx  1 0 0     12 Nov  3 04:05 link -> src',
      'drwxr-xr-x 12 0 0   4096 Nov  3 04:05 src',
      '',
    ].join('\n'),
  );
});

it.skipIf(process.platform !== 'linux')('agrees with ls itself', async () => {
  const folder = join(await tempDir(), 'folder');
  await mkdir(join(folder, 'sub'), { recursive: true });
  await writeFile(join(folder, '.hidden'), 'x'.repeat(70_000), { mode: 0o640 });
  await symlink('nowhere', join(folder, 'broken'));
  await writeFile(join(folder, 'old'), '');
  await utimes(join(folder, 'old'), new Date(2001, 1, 3), new Date(2001, 1, 3));
  const env = { ...process.env, LC_ALL: 'C' };
  const theirs = execFileSync('ls', ['-aln', folder], { encoding: 'utf8', env });
  const rows = (listing: string) => listing.replace(/^total .*\n/, '');
  expect(rows(await listWithoutLs(folder))).toBe(rows(theirs));
});
