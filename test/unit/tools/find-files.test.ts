import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { findFiles } from '../../../extension/core/tools/find-files.ts';
import { createFileSearch } from '../../../extension/node/search/file-search.ts';
import { createSearch } from '../../../extension/node/search/ripgrep-search.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { folderWith } from '../../support/folder-with.ts';
import { ripgrepPath } from '../../support/ripgrep.ts';
import { bench } from './call-tool.ts';

function benchIn(folder: string) {
  const roots = [{ name: basename(folder), path: folder }];
  return bench(new NodeWorkspace(roots, createSearch({ ripgrepPath }), createFileSearch(ripgrepPath)));
}

it('finds files in the workspace, and reads only', async () => {
  const folder = await folderWith({ 'src/a.ts': '', 'b.ts': '' });
  const { call } = benchIn(folder);
  const { result, action } = await call(findFiles, { pattern: 'src/**/*.ts' });
  expect(result).toEqual({ paths: join(folder, 'src/a.ts') });
  expect(action).toMatchObject({ kind: 'read', tool: 'find_files', recursive: true });
  expect((await call(findFiles, { pattern: `${folder}/src/*`, path: '.' })).result).toEqual(result);
  expect((await call(findFiles, { pattern: 'a.*', path: 'src' })).result).toEqual(result);
});

it('says that nothing was found, and where it looked', async () => {
  const folder = await folderWith({ a: '' });
  const { result, text } = await benchIn(folder).call(findFiles, { pattern: '*.py' });
  expect(result).toMatchObject({ paths: '' });
  expect(text).toBe(`No files.\n(no file in ${folder} matches *.py; ignored files are not looked at)`);
});

it('cuts at 1,000 with a count', async () => {
  const folder = await folderWith(
    Object.fromEntries(Array.from({ length: 1_003 }, (_, at) => [`f${at}`, ''])),
  );
  const { result } = await benchIn(folder).call(findFiles, { pattern: 'f*' });
  expect(String(result.paths).split('\n')).toHaveLength(1_000);
  expect(result.note).toBe('3 older files left out; narrow the pattern or the path');
});

it('refuses bad input with the right form', async () => {
  const folder = await folderWith({ a: '', 'src/x': '' });
  const { call } = benchIn(folder);
  await expect(call(findFiles, { pattern: '[a' })).rejects.toThrow(
    'invalid input for find_files: pattern: the glob has a "[" without its "]"; a right form is "src/**/*.ts"',
  );
  await expect(call(findFiles, { pattern: '*', path: 'a' })).rejects.toThrow(`not a directory: ${folder}/a`);
  await expect(call(findFiles, { pattern: '*', path: 'srcs' })).rejects.toThrow(
    `path does not exist: ${folder}/srcs; did you mean ${folder}/src?`,
  );
  await expect(call(findFiles, { glob: '*' })).rejects.toThrow('invalid input for find_files');
});
