import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { READ_LIMIT } from '../../../../extension/core/base/text/encoding.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { RUNNING_CALL } from '../../../support/running-call.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace } from '../call-tool.ts';

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await tempDir();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return { folder, ...bench(diskWorkspace(folder)) };
}

const TEXT = 'line1\nline2\r\nline3';

it('reads the whole file', async () => {
  const { call, folder } = await folderWith({ 'a.txt': TEXT });
  const { result, action } = await call(read, { path: 'a.txt' });
  expect(result).toEqual({ content: TEXT });
  const target = { path: join(folder, 'a.txt'), given: 'a.txt', inWorkspace: true };
  expect(action).toEqual({ kind: 'read', tool: 'read', targets: [target] });
});

it.each([
  [{ start_line: 2 }, 'line2\r\nline3'],
  [{ end_line: 2 }, 'line1\nline2\r\n'],
  [{ start_line: 2, end_line: 3 }, 'line2\r\nline3'],
  [{ start_line: 2, end_line: 2 }, 'line2\r\n'],
  [{ start_line: 3, end_line: 99 }, 'line3'],
])('reads the lines %j', async (range, content) => {
  const { call } = await folderWith({ 'a.txt': TEXT });
  expect((await call(read, { path: 'a.txt', ...range })).result).toEqual({ content });
});

it.each([
  [{ start_line: 0 }, 'invalid line number: 0 (must be >= 1)'],
  [{ end_line: 0 }, 'invalid line number: 0 (must be >= 1)'],
  [{ start_line: 5, end_line: 2 }, 'invalid range: start_line 5 > end_line 2'],
  [{ start_line: 4 }, 'line 4 out of range (file has 3 lines)'],
  [{ start_line: 1.5 }, 'invalid input for read: start_line'],
  [{ start_line: '1' }, 'start_line: Invalid input: expected number'],
  [{ lines: 3 }, 'Unrecognized key: "lines"'],
])('refuses the lines %j', async (range, message) => {
  const { call } = await folderWith({ 'a.txt': TEXT });
  await expect(call(read, { path: 'a.txt', ...range })).rejects.toThrow(message);
});

it('refuses what is no text file', async () => {
  const { call, folder } = await folderWith({ 'a.bin': new Uint8Array([1, 0, 2]), plain: 'x' });
  await mkdir(join(folder, 'directory'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const at = (path: string) => call(read, { path });
  await expect(at('missing')).rejects.toThrow(`file not found: ${folder}/missing`);
  await expect(at('plain/below')).rejects.toThrow(`file not found: ${folder}/plain/below`);
  await expect(at('directory')).rejects.toThrow(`path is a directory: ${folder}/directory`);
  await expect(at('a.bin')).rejects.toThrow(`file is binary: ${folder}/a.bin`);
  await expect(at('pipe')).rejects.toThrow(`not a regular file: ${folder}/pipe`);
  await expect(at('/dev/zero')).rejects.toThrow('not a regular file: /dev/zero');
  await expect(call(read, {})).rejects.toThrow('path: Invalid input: expected string');
});

it('names existing paths that may be meant by a missing one', async () => {
  const { call, folder } = await folderWith({ 'date.ts': 'x' });
  await mkdir(join(folder, 'lib'));
  await writeFile(join(folder, 'lib/format.ts'), 'x');
  const missing = (path: string) => expect(call(read, { path })).rejects;
  await missing('src/format.ts').toThrow(
    `file not found: ${folder}/src/format.ts; did you mean ${folder}/lib/format.ts?`,
  );
  await missing('dates.ts').toThrow(`did you mean ${folder}/date.ts?`);
  await missing('zzzzzz').toThrow(/zzzzzz$/);
});

it('reads an empty file whole and up to a line', async () => {
  const { call } = await folderWith({ empty: '' });
  expect((await call(read, { path: 'empty' })).result).toEqual({ content: '' });
  for (const range of [{ start_line: 1 }, { end_line: 10 }, { start_line: 1, end_line: 3 }])
    expect((await call(read, { path: 'empty', ...range })).result).toEqual({ content: '' });
  await expect(call(read, { path: 'empty', start_line: 2 })).rejects.toThrow(
    'line 2 out of range (file has 0 lines)',
  );
});

it('leaves the byte order mark out and reads every encoding', async () => {
  const { call } = await folderWith({
    mark: '\uFEFFa\n',
    utf16: Buffer.from('\uFEFFé\n2\n', 'utf16le'),
    latin1: Buffer.from('caf\u00e9\n', 'latin1'),
  });
  expect((await call(read, { path: 'mark' })).result).toEqual({ content: 'a\n' });
  expect((await call(read, { path: 'utf16', start_line: 1, end_line: 1 })).result).toEqual({
    content: 'é\n',
    note: 'the file is UTF-16, little endian, and stays so',
  });
  expect((await call(read, { path: 'latin1' })).result).toEqual({
    content: 'café\n',
    note: expect.stringContaining('each byte was taken for a Latin-1 character'),
  });
});

it('remembers what it saw, the text of small files too', async () => {
  const { call, folder, seen } = await folderWith({ small: TEXT, large: 'x'.repeat(300_000) });
  await call(read, { path: 'small', start_line: 2 });
  await call(read, { path: 'large' });
  const version = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(seen.get(join(folder, 'small'))).toMatchObject({ version, inPart: true, text: TEXT });
  expect(seen.get(join(folder, 'large'))).toMatchObject({ version });
});

it('reads through a link and names what it leads to', async () => {
  const { call, folder } = await folderWith({ 'a.txt': TEXT });
  await symlink('a.txt', join(folder, 'link'));
  const { action } = await call(read, { path: 'link' });
  expect(action.targets[0]?.path).toBe(join(folder, 'a.txt'));
});

it('is not led elsewhere by a link that was made after it was allowed', async () => {
  const { context, folder } = await folderWith({ 'a.txt': TEXT });
  const signal = new AbortController().signal;
  const prepared = await read.prepare({ path: 'a.txt' }, context, signal);
  execFileSync('ln', ['-sf', '/etc/hostname', join(folder, 'a.txt')]);
  await expect(prepared.execute(signal, () => undefined, RUNNING_CALL)).rejects.toThrow(
    'now leads to /etc/hostname',
  );
});

async function hugeFile(folder: string, beginning: string | Uint8Array, size: number): Promise<void> {
  const handle = await open(join(folder, 'huge'), 'w');
  await handle.writeFile(beginning);
  await handle.truncate(size);
  await handle.close();
}

it('asks for a range of a huge file, and reads no further than that', async () => {
  const { call, folder, seen } = await folderWith({});
  await hugeFile(folder, `a\nb\nc\n${'x'.repeat(8192)}`, 2 ** 33);
  await expect(call(read, { path: 'huge' })).rejects.toThrow(/too large.*8\.0 GiB.*start_line and end_line/);
  expect((await call(read, { path: 'huge', start_line: 2, end_line: 3 })).result).toEqual({
    content: 'b\nc\n',
  });
  expect(seen.paths).toEqual([]);
  await expect(call(read, { path: 'huge', start_line: 4 })).rejects.toThrow('more than 10 MiB');
});

it('reads lines out of a large file', async () => {
  const lines = Array.from({ length: 1_500_000 }, (_, index) => `line ${index + 1} é\n`);
  const { call } = await folderWith({ large: lines.join(''), marked: `\uFEFF${lines.join('')}last` });
  const at = async (path: string, start_line: number, end_line?: number) =>
    (await call(read, { path, start_line, ...(end_line && { end_line }) })).result.content;
  expect(await at('large', 700_000, 700_001)).toBe('line 700000 é\nline 700001 é\n');
  expect(await at('large', 1_500_000)).toBe('line 1500000 é\n');
  expect(await at('marked', 1, 1)).toBe('line 1 é\n');
  expect(await at('marked', 1_500_001)).toBe('last');
  await expect(at('large', 1_500_001)).rejects.toThrow('line 1500001 out of range (file has 1500000 lines)');
  await expect(at('marked', 1_500_009)).rejects.toThrow('(file has 1500001 lines)');
});

it('reads lines out of a large file in other encodings', async () => {
  const lines = `${'ünïcödé '.repeat(10)}\n`.repeat(150_000);
  const { call } = await folderWith({
    latin1: Buffer.from(`${lines}caf\u00e9\n`, 'latin1'),
    utf16: Buffer.from(`\uFEFF${lines}\u0a0a😀\n`, 'utf16le'),
    binary: Buffer.concat([Buffer.from([0]), Buffer.alloc(READ_LIMIT, 65)]),
  });
  const at = async (path: string, start_line: number) =>
    (await call(read, { path, start_line })).result.content;
  expect(await at('latin1', 150_001)).toBe('café\n');
  expect(await at('utf16', 150_001)).toBe('\u0a0a😀\n');
  await expect(at('binary', 1)).rejects.toThrow('file is binary');
});

it('reads files whose size is not told', async () => {
  const { call } = bench(diskWorkspace('/proc'));
  expect((await call(read, { path: '/proc/self/status' })).result.content).toContain('Pid:');
});
