import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { grep } from '../../../../extension/core/tools/grep/grep.ts';
import { createSearch } from '../../../../extension/node/search/ripgrep-search.ts';
import { NodeWorkspace } from '../../../../extension/node/workspace.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';
import { bench } from '../call-tool.ts';

const files = { 'a.ts': 'get one\nset two\n', 'src/b.ts': 'has(x)\n', 'src/c.js': 'HAS\n' };

async function asked(input: Record<string, unknown>, given: Record<string, string> = files) {
  const folder = await folderWith(given);
  const roots = [{ name: basename(folder), path: folder }];
  const { call } = bench(new NodeWorkspace(roots, createSearch({ ripgrepPath })));
  const { result, action } = await call(grep, input);
  const matches = String(result.matches).replaceAll(`${folder}/`, '');
  return { matches, note: result.note, recursive: 'recursive' in action && action.recursive };
}

it.each([
  [{ pattern: 'get|set', path: 'a.ts' }, '1:get one\n2:set two', /as an extended one$/],
  [{ pattern: 'has', path: '.' }, 'src/b.ts:1:has(x)', /^nothing matches in the directory itself/],
  [{ pattern: 'has|none', path: '.' }, 'src/b.ts:1:has(x)', /extended one, and are below the directory$/],
  [{ pattern: 'ge+t', path: '.' }, 'a.ts:1:get one', /as an extended one$/],
  [{ pattern: 'has(x)', path: '.', recursive: true }, 'src/b.ts:1:has(x)', undefined],
  [{ pattern: 'has(', path: '.', recursive: true, files_only: true }, 'src/b.ts', undefined],
])('%j finds %j', async (input, matches, note) => {
  const found = await asked(input);
  expect(found.matches).toBe(matches);
  if (note) expect(found.note).toMatch(note);
  else expect(found.note).toBeUndefined();
});

it.each([
  // Escaped operators are operators already.
  { pattern: 'nx\\|ny', path: '.', recursive: true },
  // Not valid as an extended pattern.
  { pattern: 'none(', path: '.' },
  { pattern: 'none', path: 'a.ts' },
  { pattern: 'none|', path: '.', extended: true, glob: 'z*' },
])('%j finds nothing in any reading', async (input) => {
  expect(await asked(input)).toMatchObject({ matches: '', note: undefined });
});

it('asks for the whole directory, because the search may go on below it', async () => {
  expect((await asked({ pattern: 'get', path: '.' })).recursive).toBe(true);
  expect((await asked({ pattern: 'get', path: 'a.ts' })).recursive).toBe(false);
});

it('ignores case, limits to a glob, gives files alone', async () => {
  const all = { pattern: 'has', path: '.', recursive: true };
  expect((await asked({ ...all, ignore_case: true })).matches).toBe('src/b.ts:1:has(x)\nsrc/c.js:1:HAS');
  expect((await asked({ ...all, ignore_case: true, glob: '*.js' })).matches).toBe('src/c.js:1:HAS');
  expect((await asked({ ...all, glob: '!src/*' })).matches).toBe('');
  expect((await asked({ ...all, ignore_case: true, files_only: true })).matches).toBe('src/b.ts\nsrc/c.js');
});

it('searches no ignored file because of a glob', async () => {
  const given = { '.gitignore': '*.min.js\n', 'a.min.js': 'x\n', 'a.js': 'x\n', 'b.ts': 'x\n' };
  const input = { pattern: 'x', path: '.', recursive: true, glob: '*.js' };
  expect((await asked(input, given)).matches).toBe('a.js:1:x');
});

it('prints context lines as grep does', async () => {
  const given = { a: 'one\ntwo x\nthree\nfour\nfive\nsix x\n', 'd-1-e': 'x\ny\n' };
  expect((await asked({ pattern: 'x', path: 'a', context: 1 }, given)).matches).toBe(
    '1-one\n2:two x\n3-three\n--\n5-five\n6:six x',
  );
  expect((await asked({ pattern: 'x', path: '.', context: 1 }, given)).matches).toBe(
    'a-1-one\na:2:two x\na-3-three\n--\na-5-five\na:6:six x\n--\nd-1-e:1:x\nd-1-e-2-y',
  );
});

it('names the field of bad input, and what to write instead', async () => {
  await expect(asked({ pattern: 'x', path: '.', context: 21 })).rejects.toThrow(/context: /);
  await expect(asked({ pattern: 'x', path: '.', glob: '{a' })).rejects.toThrow(
    'invalid input for grep: glob: the glob has a "{" without its "}"',
  );
  await expect(asked({ pattern: 'a(', path: '.', extended: true })).rejects.toThrow(
    'invalid extended pattern: unclosed group',
  );
  await expect(asked({ pattern: 'log\\(', path: '.' })).rejects.toThrow(
    'Unmatched ( or \\(; with extended: true, \\( is a plain parenthesis',
  );
  await expect(asked({ pattern: 'x', path: 'src/a.ts' })).rejects.toThrow(/did you mean .*\/a\.ts/);
});
