import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionOf } from '../../../extension/core/base/content-hash.ts';
import { ABSENT } from '../../../extension/core/ports/workspace.ts';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { write } from '../../../extension/core/tools/write.ts';
import { RUNNING_CALL } from '../../support/running-call.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { type Bench, bench, diskWorkspace, unsavedIn } from './call-tool.ts';

async function folder(isOutside = true) {
  const path = await tempDir();
  return { folder: path, ...bench(diskWorkspace(path), undefined, { isOutside }) };
}

const mode = async (path: string) => (await stat(path)).mode & 0o7777;

it('creates a file with its directories', async () => {
  const umask = process.umask(0o077);
  try {
    const { call, folder: root, seen } = await folder();
    const path = join(root, 'new/deep/a.txt');
    const { result, action, preview } = await call(write, { path: 'new/deep/a.txt', content: 'é\nno end' });
    expect(result).toEqual({ bytesWritten: 9, path });
    expect(await readFile(path, 'utf8')).toBe('é\nno end');
    expect([await mode(path), await mode(join(root, 'new')), await mode(join(root, 'new/deep'))]).toEqual([
      0o644, 0o755, 0o755,
    ]);
    const after = versionOf(Buffer.from('é\nno end'));
    expect(action).toMatchObject({ kind: 'write', before: ABSENT, after, added: 2, removed: 0 });
    expect(preview).toEqual({ path, before: null, after: 'é\nno end' });
    expect(seen.get(path)).toMatchObject({ version: after, text: 'é\nno end' });
    expect(await readdir(join(root, 'new/deep'))).toEqual(['a.txt']);
  } finally {
    process.umask(umask);
  }
});

it('overwrites and appends', async () => {
  const { call, folder: root } = await folder();
  const path = join(root, 'a.txt');
  const text = () => readFile(path, 'utf8');
  await call(write, { path, content: 'one\n' });
  await call(write, { path, content: 'two\n', mode: 'overwrite' });
  expect(await text()).toBe('two\n');
  const { result, preview } = await call(write, { path, content: 'é\n', mode: 'append' });
  expect(result).toEqual({ bytesWritten: 3, path });
  expect(preview).toMatchObject({ before: 'two\n', after: 'two\né\n' });
  expect(await text()).toBe('two\né\n');
  await call(write, { path: 'missing.txt', content: 'x', mode: 'append' });
  expect(await readFile(join(root, 'missing.txt'), 'utf8')).toBe('x');
  await call(write, { path, content: '' });
  expect(await text()).toBe('');
});

it('shows people what has changed', async () => {
  const { call, folder: root } = await folder();
  const path = join(root, 'a.txt');
  const written = async (content: string) => (await call(write, { path, content })).diff;
  expect(await written('one\ntwo\n')).toEqual({ text: '@@ -0,0 +1,2 @@\n+one\n+two' });
  expect(await written('one\n2\n')).toEqual({ text: '@@ -1,2 +1,2 @@\n one\n-two\n+2' });
  await writeFile(join(root, 'binary'), new Uint8Array([0]));
  expect((await call(write, { path: 'binary', content: 'text' })).diff).toBeUndefined();
});

it('keeps mode, encoding and byte order mark', async () => {
  const { call, folder: root } = await folder();
  const path = join(root, 'a.txt');
  const bytes = () => readFile(path);
  await writeFile(path, '\uFEFFold\r\n', { mode: 0o600 });
  expect((await call(write, { path, content: 'new\n' })).result.bytesWritten).toBe(4);
  expect(await bytes()).toEqual(Buffer.from('\uFEFFnew\n'));
  await call(write, { path, content: '\uFEFFonce\n' });
  expect(await bytes()).toEqual(Buffer.from('\uFEFFonce\n'));
  await call(write, { path, content: 'more', mode: 'append' });
  expect(await bytes()).toEqual(Buffer.from('\uFEFFonce\nmore'));
  expect(await mode(path)).toBe(0o600);
});

it.each([
  ['utf16le', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['latin1', (text: string) => Buffer.from(text, 'latin1')],
])('writes %s as %s', async (_, encode) => {
  const { call, folder: root } = await folder();
  const path = join(root, 'a.txt');
  await writeFile(path, encode('old é\n'));
  await call(write, { path, content: 'ü\n', mode: 'append' });
  expect(await readFile(path)).toEqual(encode('old é\nü\n'));
  await call(write, { path, content: 'nëw\n' });
  expect(await readFile(path)).toEqual(encode('nëw\n'));
});

it('turns a Latin-1 file into UTF-8 where it must, but never a part of it', async () => {
  const { call, folder: root } = await folder();
  const path = join(root, 'a.txt');
  await writeFile(path, Buffer.from('caf\u00e9', 'latin1'));
  await expect(call(write, { path, content: '€', mode: 'append' })).rejects.toThrow('Latin-1');
  expect((await call(write, { path, content: '€é' })).result.bytesWritten).toBe(5);
  expect(await readFile(path, 'utf8')).toBe('€é');
});

it('follows a link, which stays one', async () => {
  const { call, folder: root } = await folder();
  await writeFile(join(root, 'a.txt'), 'old');
  await symlink('a.txt', join(root, 'link'));
  await symlink('not-yet.txt', join(root, 'dangling'));
  expect((await call(write, { path: 'link', content: 'new' })).result.path).toBe(join(root, 'a.txt'));
  await call(write, { path: 'dangling', content: 'made' });
  expect(await readFile(join(root, 'not-yet.txt'), 'utf8')).toBe('made');
  expect(
    (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink()),
  ).toHaveLength(2);
});

it('refuses what cannot be a text file', async () => {
  const { call, folder: root } = await folder();
  await mkdir(join(root, 'directory'));
  await writeFile(join(root, 'file'), 'x');
  await writeFile(join(root, 'a.bin'), new Uint8Array([0]));
  const at = (path: string, content = 'x') => call(write, { path, content });
  await expect(at('')).rejects.toThrow('path is empty');
  await expect(at('a\0b')).rejects.toThrow('NUL');
  await expect(at('directory')).rejects.toThrow(`path is a directory: ${root}/directory`);
  await expect(at('new/')).rejects.toThrow('path is a directory: new/');
  await expect(at('file/below/x')).rejects.toThrow(`not a directory: ${root}/file`);
  await expect(at('/dev/null')).rejects.toThrow('not a regular file');
  await expect(call(write, { path: 'a.bin', content: 'x', mode: 'append' })).rejects.toThrow(
    'file is binary',
  );
  await expect(call(write, { path: 'a', content: 'x', mode: 'prepend' })).rejects.toThrow('mode');
  await expect(call(write, { path: 'a' })).rejects.toThrow('content');
});

it('shows no preview of a binary or a very large file', async () => {
  const { call, folder: root } = await folder();
  await writeFile(join(root, 'a.bin'), new Uint8Array([0]));
  expect((await call(write, { path: 'a.bin', content: 'x' })).preview).toBeUndefined();
  expect((await call(write, { path: 'large', content: 'x'.repeat(2 ** 21) })).preview).toBeUndefined();
});

it.each([
  ['append', "append with bash: cat >> FILE <<'END'"],
  ['overwrite', 'move or remove it first'],
])('says what to do where a file is too large to %s', async (mode, words) => {
  const { call, folder: root } = await folder();
  const path = join(root, 'large.log');
  await writeFile(path, Buffer.alloc(11 * 2 ** 20, 'line\n'));
  await expect(call(write, { path, content: 'x', mode })).rejects.toThrow(words);
  await expect(call(write, { path, content: 'x', mode })).rejects.toThrow(
    'has 11.0 MiB, and 10.0 MiB is the',
  );
  expect((await stat(path)).size).toBe(11 * 2 ** 20);
});

describe('a file that the model does not know as it is', () => {
  it('is not overwritten when it changed since it was read', async () => {
    const { call, folder: root } = await folder(false);
    const path = join(root, 'a.txt');
    await writeFile(path, 'old\n');
    await call(read, { path });
    await writeFile(path, 'by the user\n');
    await expect(call(write, { path, content: 'x' })).rejects.toThrow('- old\n+ by the user');
    expect(await readFile(path, 'utf8')).toBe('by the user\n');
    await call(write, { path, content: 'x', mode: 'append' });
    expect(await readFile(path, 'utf8')).toBe('by the user\nx');
  });

  it('is not overwritten if the model never read it', async () => {
    const { call, folder: root } = await folder(false);
    const path = join(root, 'a.txt');
    await writeFile(path, 'old\n');
    await expect(call(write, { path, content: 'x' })).rejects.toThrow('you have not read it in this session');
    expect(await readFile(path, 'utf8')).toBe('old\n');
    await call(read, { path });
    await call(write, { path, content: 'x' });
    expect(await readFile(path, 'utf8')).toBe('x');
  });

  it('is not overwritten while the editor holds changes that were not read', async () => {
    const root = await tempDir();
    const path = join(root, 'a.txt');
    await writeFile(path, 'on disk');
    const { call } = bench(unsavedIn(diskWorkspace(root)));
    await expect(call(write, { path, content: 'x' })).rejects.toThrow('unsaved changes');
    await call(read, { path });
    const { action } = await call(write, { path, content: 'x' });
    expect(action).toMatchObject({ unsaved: true });
  });

  it.each<[string, (bench: Bench, path: string) => Promise<unknown>]>([
    ['lines of them were read', ({ call }, path) => call(read, { path, end_line: 1 })],
    [
      'lines were read and one was changed',
      async ({ call }, path) => {
        await call(read, { path, end_line: 1 });
        const operation = { op: 'replace', startLine: 1, endLine: 1, content: ['ONE'] };
        await call(edit, { path, operations: [operation] });
      },
    ],
    [
      'lines were read and one was added',
      async ({ call }, path) => {
        await call(read, { path, end_line: 1 });
        await call(write, { path, content: 'three\n', mode: 'append' });
      },
    ],
  ])('is not overwritten while the editor holds changes and %s', async (_name, look) => {
    const root = await tempDir();
    const path = join(root, 'a.txt');
    await writeFile(path, 'one\ntwo\n');
    const tools = bench(unsavedIn(diskWorkspace(root)));
    await look(tools, path);
    await expect(tools.call(write, { path, content: 'x' })).rejects.toThrow('Read the whole file');
    await tools.call(read, { path, start_line: 1 });
    await tools.call(write, { path, content: 'x' });
    expect(await readFile(path, 'utf8')).toBe('x');
  });

  it('is not overwritten when it appears at the last moment', async () => {
    const { context, folder: root } = await folder(false);
    const path = join(root, 'new/a.txt');
    const signal = new AbortController().signal;
    const prepared = await write.prepare({ path, content: 'x' }, context, signal);
    await mkdir(join(root, 'new'));
    await writeFile(path, 'somebody else');
    await expect(prepared.execute(signal, () => undefined, RUNNING_CALL)).rejects.toThrow(
      'file changed meanwhile',
    );
    expect(await readFile(path, 'utf8')).toBe('somebody else');
    expect(await readdir(join(root, 'new'))).toEqual(['a.txt']);
  });
});
