import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { ToolError } from '../../../../extension/core/base/tool-error.ts';
import { grep } from '../../../../extension/core/tools/grep/grep.ts';
import { createSearch } from '../../../../extension/node/search/ripgrep-search.ts';
import { NodeWorkspace } from '../../../../extension/node/workspace.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench } from '../call-tool.ts';

function benchIn(folder: string) {
  return bench(new NodeWorkspace([{ name: basename(folder), path: folder }], createSearch({ ripgrepPath })));
}

it('reads the workspace: a file, a directory, all below it', async () => {
  const folder = await folderWith({ 'a.txt': 'foo\n', 'src/b.txt': 'x\nfoo\n' });
  const { call } = benchIn(folder);
  const found = await call(grep, { pattern: 'fo*$', path: 'a.txt' });
  expect(found.result).toEqual({ matches: '1:foo' });
  const target = { path: join(folder, 'a.txt'), given: 'a.txt', inWorkspace: true };
  expect(found.action).toEqual({ kind: 'read', tool: 'grep', targets: [target], recursive: false });
  expect((await call(grep, { pattern: 'foo', path: '.' })).result.matches).toBe(`${folder}/a.txt:1:foo`);
  expect((await call(grep, { pattern: 'foo', path: folder, recursive: true })).result.matches).toBe(
    `${folder}/a.txt:1:foo\n${folder}/src/b.txt:2:foo`,
  );
  expect((await call(grep, { pattern: 'bar', path: '.' })).result).toEqual({ matches: '' });
});

it('says how many matches were left out', async () => {
  const folder = await folderWith({ a: 'x\n'.repeat(2500) });
  const { result } = await benchIn(folder).call(grep, { pattern: 'x', path: 'a' });
  const lines = String(result.matches).split('\n');
  expect(lines).toHaveLength(2001);
  expect(lines.at(-1)).toBe('... (500 more matches left out; narrow the pattern or the path)');
});

it('tells a bad pattern, a missing path and bad input before anything is asked or done', async () => {
  const folder = await folderWith({ a: 'x' });
  const { context } = benchIn(folder);
  const prepare = (input: unknown) => grep.prepare(input, context, new AbortController().signal);
  await expect(prepare({ pattern: '[a', path: 'a' })).rejects.toThrow(
    new ToolError('Unmatched [, [^, [:, [., or [=', { code: 'invalid_input' }),
  );
  await expect(prepare({ pattern: 'a', path: 'b' })).rejects.toThrow(
    new ToolError(`file not found: ${folder}/b`, { code: 'not_found' }),
  );
  await expect(prepare({ pattern: 'a' })).rejects.toThrow(/^invalid input for grep: path: /);
  await expect(prepare({ pattern: 'a', path: 'a', recursive: 'yes' })).rejects.toThrow(/recursive: /);
  await expect(prepare({ pattern: 'a', path: 'a', ignoreCase: true })).rejects.toThrow(/ignoreCase/);
});

it('knows a link for what it leads to', async () => {
  const folder = await folderWith({ a: 'x' });
  const outside = await tempDir();
  await symlink(outside, join(folder, 'out'));
  const { context } = benchIn(folder);
  const { action } = await grep.prepare({ pattern: 'x', path: 'out' }, context, new AbortController().signal);
  expect(action.targets).toEqual([{ path: outside, given: 'out', inWorkspace: false }]);
});

it('tells the model what a pattern can be', () => {
  expect(grep.inputSchema).toMatchObject({
    required: ['pattern', 'path'],
    properties: { recursive: { type: 'boolean' } },
  });
});
