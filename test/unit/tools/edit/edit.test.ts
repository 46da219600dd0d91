import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineView } from '../../../../extension/core/rendering/line-view.ts';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { RUNNING_CALL } from '../../../support/running-call.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace } from '../call-tool.ts';

async function folderWith(content: string | Uint8Array, isOutside = true) {
  const folder = await tempDir();
  const path = join(folder, 'a.txt');
  await writeFile(path, content);
  const tools = bench(diskWorkspace(folder), undefined, { isOutside });
  const apply = (...operations: unknown[]) => tools.call(edit, { path: 'a.txt', operations });
  return { ...tools, folder, path, apply, text: () => readFile(path, 'utf8'), bytes: () => readFile(path) };
}

const replace = (line: number, ...content: string[]) => ({
  op: 'replace',
  startLine: line,
  endLine: line,
  content,
});
const insert = (afterLine: number, ...content: string[]) => ({ op: 'insert', afterLine, content });

it('changes the lines and says what it did', async () => {
  const { apply, path, text } = await folderWith('a\nb\nc\n');
  const { result, action, preview } = await apply(replace(2, 'x', 'y'), insert(0, 'top'));
  expect(result).toEqual({ path, linesChanged: 3, newLineCount: 5 });
  expect(await text()).toBe('top\na\nx\ny\nc\n');
  expect(preview).toEqual({ path, before: 'a\nb\nc\n', after: 'top\na\nx\ny\nc\n' });
  expect(action).toMatchObject({ kind: 'write', tool: 'edit', added: 3, removed: 1, unsaved: false });
});

it('shows people what has changed', async () => {
  const { apply } = await folderWith('a\nb\nc\nd\n');
  const { diff } = await apply(replace(2, 'x'), insert(4, 'end'));
  expect(diff).toEqual({ text: '@@ -1,4 +1,5 @@\n a\n-b\n+x\n c\n d\n+end' });
  expect((await apply(replace(2, 'x'))).diff).toBeUndefined();
});

it('describes all three operations to the model by one schema', () => {
  expect(edit.inputSchema).toMatchObject({
    type: 'object',
    required: ['path'],
    properties: {
      operations: {
        type: 'array',
        items: {
          required: ['op'],
          properties: {
            op: { enum: ['replace', 'insert', 'delete'] },
            startLine: { minimum: 1 },
            endLine: { minimum: 1 },
            afterLine: { minimum: 0 },
            content: { type: 'array' },
          },
        },
      },
    },
  });
});

it('applies all operations or none', async () => {
  const { apply, text } = await folderWith('a\nb\n');
  await expect(apply(replace(1, 'x'), replace(9, 'y'))).rejects.toThrow(
    'line 9 out of range (file has 2 lines)',
  );
  await expect(apply()).rejects.toThrow('no operations provided');
  await expect(apply({ op: 'append' })).rejects.toThrow('unknown operation: append');
  expect(await text()).toBe('a\nb\n');
});

it('refuses what is no text file', async () => {
  const { call, folder } = await folderWith(new Uint8Array([0]));
  await mkdir(join(folder, 'directory'));
  const at = (path: string) => call(edit, { path, operations: [insert(0, 'x')] });
  await expect(at('none')).rejects.toThrow(`file not found: ${folder}/none`);
  await expect(at('directory')).rejects.toThrow(`path is a directory: ${folder}/directory`);
  await expect(at('a.txt')).rejects.toThrow(`file is binary: ${folder}/a.txt`);
});

describe('a file that changed since it was read', () => {
  const session = (content: string) => folderWith(content, false);

  it('is edited where the lines that are meant are unchanged', async () => {
    const { apply, call, path, text } = await session('a\nb\nc\nd\n');
    await call(read, { path });
    await writeFile(path, 'a\nB\nB2\nc\nd\n');
    await apply(replace(4, 'x'));
    expect(await text()).toBe('a\nB\nB2\nc\nx\n');
  });

  it('is not edited where they changed, and the model is shown the lines that are there', async () => {
    const { apply, call, path, text } = await session('a\nb\nc\nd\n');
    await call(read, { path });
    await writeFile(path, 'a\nB\nB2\nc\nd\n');
    const refusal = apply(replace(2, 'x'));
    await expect(refusal).rejects.toThrow(
      `you have not seen line 2 of ${path} as it is now; nothing was applied`,
    );
    await expect(refusal).rejects.toThrow('    2→B\n    3→B2');
    expect(await text()).toBe('a\nB\nB2\nc\nd\n');
    await apply(replace(2, 'x'));
    expect(await text()).toBe('a\nx\nB2\nc\nd\n');
  });

  it('is not edited at one of several equal lines where it is unknown which of them is left', async () => {
    const { apply, call, path } = await session('{\n}\n{\n}\n');
    await call(read, { path });
    await writeFile(path, '{\n}\n');
    await expect(apply(replace(2, 'x'))).rejects.toThrow('you have not seen');
  });

  it('is not edited where its old text is not known', async () => {
    const { apply, path, seen } = await session('a\n');
    seen.remember(path, { version: 'another', view: LineView.whole(1) });
    await expect(apply(replace(1, 'x'))).rejects.toThrow('you have not seen');
  });

  it('is one that the model changed itself', async () => {
    const { apply, call, path, text } = await session('a\n');
    await call(read, { path });
    await apply(replace(1, 'x'));
    await apply(replace(1, 'y'));
    expect(await text()).toBe('y\n');
  });

  it('is not overwritten when it changes at the last moment', async () => {
    const { context, path, text } = await folderWith('a\n');
    const signal = new AbortController().signal;
    const prepared = await edit.prepare({ path, operations: [replace(1, 'x')] }, context, signal);
    await writeFile(path, 'new\n');
    await expect(prepared.execute(signal, () => undefined, RUNNING_CALL)).rejects.toThrow(
      `file changed meanwhile: ${path}`,
    );
    expect(await text()).toBe('new\n');
  });
});

it('keeps mode and link, and leaves nothing else behind', async () => {
  const { call, folder, path } = await folderWith('a\n');
  await chmod(path, 0o4751);
  await symlink('a.txt', join(folder, 'link'));
  const { result } = await call(edit, { path: 'link', operations: [replace(1, 'x')] });
  expect(result.path).toBe(path);
  expect((await stat(path)).mode & 0o7777).toBe(0o4751);
  expect(await readdir(folder)).toEqual(['a.txt', 'link']);
  expect(execFileSync('readlink', [join(folder, 'link')], { encoding: 'utf8' })).toBe('a.txt\n');
});

it('does not put into a Latin-1 file what it cannot hold', async () => {
  const { apply, bytes } = await folderWith(Buffer.from('caf\u00e9\nb\n', 'latin1'));
  await expect(apply(replace(2, '€'))).rejects.toThrow('Latin-1');
  await apply(replace(2, 'ü'));
  expect(await bytes()).toEqual(Buffer.from('caf\u00e9\n\u00fc\n', 'latin1'));
});

it('does nothing when it was cancelled before', async () => {
  const { context, path, text } = await folderWith('a\n');
  const cancel = new AbortController();
  const prepared = await edit.prepare({ path, operations: [replace(1, 'x')] }, context, cancel.signal);
  cancel.abort();
  await expect(prepared.execute(cancel.signal, () => undefined, RUNNING_CALL)).rejects.toThrow(
    'nothing was written',
  );
  expect(await text()).toBe('a\n');
});

it('leaves the bytes around the edited lines alone', async () => {
  const { apply, path, bytes } = await folderWith('');
  const encodings = {
    utf8: { mark: Buffer.alloc(0), encode: (text: string) => Buffer.from(text, 'utf8') },
    bom: { mark: Buffer.from([0xef, 0xbb, 0xbf]), encode: (text: string) => Buffer.from(text, 'utf8') },
    utf16le: { mark: Buffer.from([0xff, 0xfe]), encode: (text: string) => Buffer.from(text, 'utf16le') },
    utf16be: {
      mark: Buffer.from([0xfe, 0xff]),
      encode: (text: string) => Buffer.from(text, 'utf16le').swap16(),
    },
    latin1: { mark: Buffer.from([0xe9, 0x0a]), encode: (text: string) => Buffer.from(text, 'latin1') },
  };
  const line = fc.tuple(
    fc.string({ unit: fc.constantFrom('a', 'é', '\u00a0', '\r', '“'), maxLength: 5 }),
    fc.constantFrom('\n', '\r\n'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(encodings)),
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.nat(7),
      async ({ mark, encode }, pairs, bare, at) => {
        const latin1 = mark[0] === 0xe9;
        const lines = pairs.map(([text, end]) => (latin1 ? text.replaceAll('“', 'ÿ') : text) + end);
        if (bare) lines.push('no end');
        const first = latin1 ? 1 : 0;
        const target = at % lines.length;
        await writeFile(path, Buffer.concat([mark, encode(lines.join(''))]));
        await apply({
          op: 'replace',
          startLine: target + 1 + first,
          endLine: target + 1 + first,
          content: ['NEW'],
        });
        const after = await bytes();
        const before = Buffer.concat([mark, encode(lines.slice(0, target).join(''))]);
        const rest = encode(lines.slice(target + 1).join(''));
        expect(after.subarray(0, before.length)).toEqual(before);
        expect(after.subarray(after.length - rest.length)).toEqual(rest);
        const middle = after.subarray(before.length, after.length - rest.length);
        const isBareLast = bare && target === lines.length - 1;
        const ends = isBareLast ? ['NEW'] : ['NEW\n', 'NEW\r\n'];
        expect(ends.some((text) => encode(text).equals(middle))).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
