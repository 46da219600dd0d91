// What lies in a workspace or in the environment must not be able to run anything, or to change what is found.
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createSearch } from '../../../../extension/node/search/ripgrep-search.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

const search = createSearch({ ripgrepPath });
const find = async (pattern: string, path: string) => {
  const query = { pattern, path, recursive: true, maxMatches: 100 };
  return (await search(query, new AbortController().signal)).matches;
};

it('runs no preprocessor that a configuration file or a pattern names', async () => {
  const folder = await folderWith({ a: 'secret\n', pre: '#!/bin/sh\ntouch "$0.ran"\necho secret\n' });
  const pre = join(folder, 'pre');
  await chmod(pre, 0o755);
  const config = await folderWith({ rc: `--pre=${pre}\n`, '.ripgreprc': `--pre=${pre}\n` });
  vi.stubEnv('RIPGREP_CONFIG_PATH', join(config, 'rc'));
  vi.stubEnv('HOME', config);
  for (const pattern of ['secret', `--pre=${pre}`, '--files', '-f/etc/passwd']) await find(pattern, folder);
  vi.unstubAllEnvs();
  expect((await readdir(folder)).sort()).toEqual(['a', 'pre']);
});

it('runs no program that lies in the searched folder', async () => {
  const canary = '#!/bin/sh\ntouch "$0.ran"\n';
  const folder = await folderWith({ rg: canary, grep: canary, git: canary, sh: canary, a: 'aa\n' });
  await Promise.all(['rg', 'grep', 'git', 'sh'].map((name) => chmod(join(folder, name), 0o755)));
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  expect(await find('^aa$', folder)).toBe(`${folder}/a:1:aa`);
  expect(await find('^\\(\\(a\\)*\\)\\1$', folder)).toBe(`${folder}/a:1:aa`);
  vi.unstubAllEnvs();
  expect((await readdir(folder)).sort()).toEqual(['a', 'git', 'grep', 'rg', 'sh']);
});

it("is not led by the user's own ignore files or grep options", async () => {
  const home = await folderWith({
    '.config/git/ignore': 'a\n',
    '.gitconfig': '[core]\nexcludesFile = ~/.config/git/ignore\n',
  });
  const folder = await folderWith({ a: 'xx\nXX\n', '.git/HEAD': '' });
  vi.stubEnv('HOME', home);
  vi.stubEnv('GREP_OPTIONS', '-i');
  expect(await find('x', folder)).toBe(`${folder}/a:1:xx`);
  expect(await find('\\(x\\)*\\1', folder)).toBe(`${folder}/a:1:xx`);
  vi.unstubAllEnvs();
});
