import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findRipgrep } from '../../../../extension/node/search/ripgrep-path.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
const universal = `@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}/${binary}`;
const single = `@vscode/ripgrep/bin/${binary}`;

afterEach(() => {
  vi.unstubAllEnvs();
  process.argv[1] = script;
});
const script = process.argv[1] ?? '';

/** A folder in which these are executable. */
async function folderOfPrograms(...paths: readonly string[]): Promise<string> {
  const folder = await folderWith(Object.fromEntries(paths.map((path) => [path, '#!/bin/sh\n'])));
  await Promise.all(paths.map((path) => chmod(join(folder, path), 0o755)));
  return folder;
}

it.each([
  `node_modules/${universal}`,
  `node_modules.asar.unpacked/${universal}`,
  `node_modules/${single}`,
  `node_modules.asar.unpacked/${single}`,
])('finds the one of VS Code at %s', async (path) => {
  const appRoot = await folderOfPrograms(path);
  expect(await findRipgrep(appRoot)).toBe(join(appRoot, path));
});

it('finds the npm package beside the program', async () => {
  expect(await findRipgrep('/nowhere')).toBe(ripgrepPath);
});

it('finds the one of the PATH, but none that the workspace or a package manager put there', async () => {
  const workspace = await folderOfPrograms('rg', 'bin/rg');
  const project = await folderOfPrograms('node_modules/.bin/rg');
  const tools = await folderOfPrograms(binary);
  const nothing = await folderWith({ 'bin/cli.js': '', [binary]: 'not executable' });
  process.argv[1] = join(nothing, 'bin', 'cli.js');
  const path = [
    workspace,
    join(workspace, 'bin'),
    join(project, 'node_modules', '.bin'),
    '.',
    '',
    nothing,
    tools,
  ];
  vi.stubEnv('PATH', path.join(delimiter));
  expect(await findRipgrep(undefined, [workspace])).toBe(join(tools, binary));
  vi.stubEnv('PATH', path.slice(0, -1).join(delimiter));
  expect(await findRipgrep(undefined, [workspace])).toBeUndefined();
});
