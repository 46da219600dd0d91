import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ToolErrorCode } from '../../../extension/core/base/tool-error.ts';
import { bash } from '../../../extension/core/tools/bash/bash.ts';
import type { Tool } from '../../../extension/core/tools/common/tool.ts';
import { toolErrorCode } from '../../../extension/core/tools/common/workspace-failure.ts';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { listDir } from '../../../extension/core/tools/list-dir.ts';
import { move } from '../../../extension/core/tools/move.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { write } from '../../../extension/core/tools/write.ts';
import { toWorkspaceError } from '../../../extension/node/fs/file-errors.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bench, diskWorkspace } from './call-tool.ts';

const failures: [what: string, tool: Tool, input: object, code: ToolErrorCode][] = [
  ['a missing field', read, {}, 'invalid_input'],
  ['an unknown field', read, { path: 'a', lines: 3 }, 'invalid_input'],
  ['a line beyond the end', read, { path: 'a', start_line: 9 }, 'invalid_input'],
  ['a missing file', read, { path: 'missing' }, 'not_found'],
  ['a binary file', read, { path: 'binary' }, 'unsupported'],
  ['a folder instead of a file', read, { path: 'folder' }, 'invalid_input'],
  ['a missing folder', listDir, { path: 'missing' }, 'not_found'],
  ['text that is not there', edit, { path: 'a', old_string: 'three', new_string: '3' }, 'not_found'],
  ['text that is there twice', edit, { path: 'a', old_string: 'o', new_string: '0' }, 'conflict'],
  [
    'a line that the model never saw',
    edit,
    { path: 'a', operations: [{ op: 'delete', startLine: 1, endLine: 1 }] },
    'conflict',
  ],
  ['a file that the model never read', write, { path: 'a', content: '' }, 'conflict'],
  ['a source that is not there', move, { source: 'missing', destination: 'b' }, 'not_found'],
  ['a folder in the way', move, { source: 'folder', destination: 'full' }, 'conflict'],
  ['an empty command', bash, { command: ' ' }, 'invalid_input'],
  ['a command that takes too long', bash, { command: 'sleep 60' }, 'timeout'],
];

it.each(failures)('names the kind of failure: %s', async (_what, tool, input, code) => {
  const folder = await tempDir();
  await writeFile(join(folder, 'a'), 'one\ntwo\n');
  await writeFile(join(folder, 'binary'), new Uint8Array([0, 1, 2]));
  await mkdir(join(folder, 'folder'));
  await mkdir(join(folder, 'full', 'folder', 'child'), { recursive: true });
  const { call } = bench(diskWorkspace(folder), undefined, { timeoutMs: 50 });
  await expect(call(tool, input)).rejects.toMatchObject({ code });
});

it.each([
  ['EACCES', 'permission'],
  ['EROFS', 'permission'],
  ['ENOSPC', 'io'],
  ['EIO', 'io'],
  ['ENOENT', 'not_found'],
])('names the kind of the system’s error %s: %s', (code, expected) => {
  const error = Object.assign(new Error(code), { code });
  expect(toolErrorCode(toWorkspaceError(error, '/p'))).toBe(expected);
});
