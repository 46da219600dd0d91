// What a rename makes of the files, and what the model knows of them afterwards.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LanguageServers, ServerEdit } from '../../../../extension/core/ports/language-servers.ts';
import { code } from '../../../../extension/core/tools/code/code.ts';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace } from '../call-tool.ts';

const TEXT = 'one old\r\ntwo\r\nthree old, old\r\n';
const RENAME = { action: 'rename', line: 1, symbol: 'old', new_name: 'fresh' };

const at = (line: number, column: number): ServerEdit => ({
  start: { line, column },
  end: { line, column: column + 3 },
  old: 'old',
  text: 'fresh',
});

/** A file, and a server that answers a rename in it with these edits. */
async function project(edits: readonly ServerEdit[], text: string | Uint8Array = TEXT) {
  const root = await tempDir();
  const path = join(root, 'a.txt');
  await writeFile(path, text);
  const tools = bench(diskWorkspace(root));
  const rename: LanguageServers['rename'] = async () => ({
    value: { files: [{ path, edits }], movesFiles: false },
  });
  Object.assign(tools.context, { languageServers: { rename } });
  return { ...tools, path, content: () => readFile(path, 'utf8') };
}

test('every place changes, in whatever order the server names them, and other bytes stay', async () => {
  const { call, path, content } = await project([at(3, 12), at(1, 5), at(3, 7)]);
  const { result, action } = await call(code, { ...RENAME, path });
  expect(await content()).toBe('one fresh\r\ntwo\r\nthree fresh, fresh\r\n');
  expect(result).toEqual({ symbol: 'old', newName: 'fresh', files: [path] });
  expect(action).toMatchObject({ kind: 'patch', tool: 'code', added: 2, removed: 2 });
});

test('the lines that the model read stay known, those that the rename changed do not', async () => {
  const { call, path, content } = await project([at(1, 5)]);
  await call(read, { path });
  await call(code, { ...RENAME, path });
  const replace = (line: number) => ({
    path,
    operations: [{ op: 'replace', startLine: line, endLine: line, content: ['TWO'] }],
  });
  await expect(call(edit, replace(1))).rejects.toThrow(/nothing was applied/);
  await call(edit, replace(2));
  expect(await content()).toBe('one fresh\r\nTWO\r\nthree old, old\r\n');
});

test.each([
  ['a text that is no longer there', [at(2, 1)], TEXT, /changed while the language server answered/],
  ['a line that is no longer there', [at(9, 1)], TEXT, /changed while the language server answered/],
  ['places that overlap', [at(1, 5), at(1, 5)], TEXT, /changed while the language server answered/],
  ['no place', [], TEXT, /changes nothing for this rename/],
])('a rename is refused for %s', async (_name, edits, text, message) => {
  const { call, path, content } = await project(edits, text);
  await expect(call(code, { ...RENAME, path })).rejects.toThrow(message);
  expect(await content()).toBe(text);
});

test.each([
  [{ ...RENAME, new_name: 'two words' }, 'new_name: expected one name without white space'],
  [{ ...RENAME, new_name: undefined }, 'new_name: missing; give the new name'],
  [{ action: 'hover', line: 1 }, 'symbol: missing; give the name as it is on the line'],
  [{ action: 'hover', symbol: 'old', new_name: 'x' }, 'new_name: only rename takes it'],
  [{ action: 'symbols', symbol: 'old' }, 'symbols outlines a whole file: give path alone'],
  [{ action: 'guess' }, 'action: '],
])('%j is refused with the field and its form', async (input, message) => {
  const { call, path } = await project([]);
  await expect(call(code, { ...input, path })).rejects.toThrow(`invalid input for code: ${message}`);
});
