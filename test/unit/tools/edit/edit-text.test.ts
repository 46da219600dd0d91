import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace } from '../call-tool.ts';

async function fileWith(content: string) {
  const folder = await tempDir();
  const path = join(folder, 'a.ts');
  await writeFile(path, content);
  const tools = bench(diskWorkspace(folder));
  const replace = (old_string: string, new_string: string, replace_all?: boolean) =>
    tools.call(edit, { path, old_string, new_string, ...(replace_all !== undefined && { replace_all }) });
  return { ...tools, path, replace, text: () => readFile(path, 'utf8') };
}

const opened = async (content: string) => {
  const file = await fileWith(content);
  await file.call(read, { path: file.path });
  return file;
};

it('replaces a text that is found once, and shows the lines around it with their numbers', async () => {
  const { replace, path, text: content } = await opened('a\nb\nc\nd\ne\n');
  const { result, text } = await replace('c\n', 'x\ny\n');
  expect(result).toEqual({ path, linesChanged: 2, newLineCount: 6 });
  expect(await content()).toBe('a\nb\nx\ny\nd\ne\n');
  expect(text).toBe(
    `Edited ${path}. The lines are now:\n    1→a\n    2→b\n    3→x\n    4→y\n    5→d\n    6→e`,
  );
});

it('replaces a part of a line, and each of several places', async () => {
  const { replace, text } = await opened('let a = 1;\nlet b = a + a;\n');
  await replace('= 1', '= 2');
  await replace('a', 'c', true);
  expect(await text()).toBe('let c = 2;\nlet b = c + c;\n');
});

it('carries numbers over an edit at an empty first line', async () => {
  const { callInReply, path, text } = await opened('\nx\n\na\n');
  await callInReply(edit, { path, old_string: '\nx\n', new_string: 'new\n\nx\n' });
  const operation = { op: 'replace', startLine: 1, endLine: 1, content: ['y'] };
  await callInReply(edit, { path, operations: [operation] });
  expect(await text()).toBe('new\ny\nx\n\na\n');
});

it('keeps the indentation of a first line that was given without it', async () => {
  const { replace, text } = await opened('  x\na\nx\n');
  await replace('x\na\nx\n', 'x\nb\na\nx\n');
  expect(await text()).toBe('  x\nb\na\nx\n');
});

it.each([
  ['x = 1\n    y = 2\n', '    y = 2\n', '    y = 2\nz\n'],
  ['x = 1\n    y = 2\nz\n', 'z\n', 'z\n'],
  ['x = 1\n    y = 2\n', '', 'z\n'],
])('removes a first line that was given without its indentation: %j', async (old, next, after) => {
  const { replace, text } = await opened('    x = 1\n    y = 2\nz\n');
  await replace(old, next);
  expect(await text()).toBe(after);
});

it.each<[string, string, string, string, string, string]>([
  [
    'trailing white space that was lost',
    'f() {  \n  g();\t\n}\n',
    'f() {\n  g();\n}\n',
    'f() {\n  h();\n}\n',
    'f() {  \n  h();\n}\n',
    'white space',
  ],
  [
    'one indentation too few',
    '  if (a) {\n    b();\n  }\n',
    'if (a) {\n  b();\n}\n',
    'if (a) {\n  c();\n  if (d) {\n    e();\n  }\n}\n',
    '  if (a) {\n    c();\n    if (d) {\n      e();\n    }\n  }\n',
    'indentation',
  ],
  [
    'one indentation too many',
    'if (a) {\n  b();\n}\n',
    '  if (a) {\n    b();\n  }\n',
    '  if (a) {\n    b();\n    c();\n  }\n',
    'if (a) {\n  b();\n  c();\n}\n',
    'indentation',
  ],
  [
    'spaces for tabs',
    '\tif (a) {\n\t\tb();\n\t}\n',
    '  if (a) {\n    b();\n  }\n',
    '  if (a) {\n    if (b) {\n      c();\n    }\n  }\n',
    '\tif (a) {\n\t\tif (b) {\n\t\t\tc();\n\t\t}\n\t}\n',
    'indentation',
  ],
  [
    'tabs for spaces',
    '  if (a) {\n    b();\n  }\n',
    '\tif (a) {\n\t\tb();\n\t}\n',
    '\tif (a) {\n\t\tb();\n\t\tc();\n\t}\n',
    '  if (a) {\n    b();\n    c();\n  }\n',
    'indentation',
  ],
  [
    'typographic quotes',
    `say("it's", 'so');\n`,
    'say(“it’s”, ‘so’);\n',
    'say(“it’s”, ‘now’);\n',
    `say("it's", 'now');\n`,
    'quotes',
  ],
  [
    'plain quotes for typographic ones',
    '// it’s “so”\nf();\n',
    '// it\'s "so"\nf();\n',
    '// it\'s "so"\ng();\n',
    '// it’s “so”\ng();\n',
    'quotes',
  ],
  [
    'plain quotes in a line that changes',
    '// it’s “so” now\n',
    '// it\'s "so" now\n',
    '// it\'s "so" then\n',
    '// it’s “so” then\n',
    'quotes',
  ],
  [
    'copied line numbers',
    'a\nb\nc\n',
    '    1→a\n    2→b\n',
    '    1→a\n    2→x\n',
    'a\nx\nc\n',
    'line numbers',
  ],
  [
    'copied line numbers and new lines without',
    'a\nb\nc\n',
    '    2→b',
    '    2→b\ny',
    'a\nb\ny\nc\n',
    'line numbers',
  ],
  ['no line end at the end of the file', 'a\nb', 'a\nb\n', 'a\nc\n', 'a\nc', 'line ends'],
])('finds the text despite %s', async (_, file, old, next, expected, note) => {
  const { replace, text } = await opened(file);
  const { result } = await replace(old, next);
  expect(await text()).toBe(expected);
  expect(result.note).toContain(note);
});

it('keeps the line ends of the file', async () => {
  const { replace, text } = await opened('a\r\nb\r\nc\r\n');
  const { result } = await replace('a\nb\n', 'a\nx\ny\n');
  expect(await text()).toBe('a\r\nx\r\ny\r\nc\r\n');
  expect(result.note).toBeUndefined();
});

it('takes the line ends of most lines where they are mixed, and leaves the others alone', async () => {
  const { replace, text } = await opened('a\r\nb\nc\r\nd\r\n');
  await replace('a\nb\nc\n', 'a\nb\nx\nc\n');
  expect(await text()).toBe('a\r\nb\nx\r\nc\r\nd\r\n');
});

describe('refuses', () => {
  it('a text that is not found, and shows the nearest lines', async () => {
    const { replace, path, text } = await opened('one\ntwo\nthree\nfour\nfive\n');
    const refusal = replace('three\nfuor\n', 'x\n');
    await expect(refusal).rejects.toThrow(`old_string is not found in ${path}`);
    await expect(refusal).rejects.toThrow('    3→three\n    4→four\n');
    expect(await text()).toBe('one\ntwo\nthree\nfour\nfive\n');
  });

  it('a text that is found several times, and names the lines', async () => {
    const { replace } = await opened('a\nx\nb\nx\n');
    await expect(replace('x\n', 'y\n')).rejects.toThrow(/found 2 times in .*, at lines 2, 4\. /);
  });

  it('a text whose places overlap', async () => {
    const { replace, text } = await opened('}\n}\n}\n');
    for (const end of ['\n', ' \n'])
      await expect(replace(`}${end}}${end}`, `}${end}x\n}${end}`)).rejects.toThrow('at lines 1, 2. ');
    await replace('}\n}\n', 'y\n', true);
    expect(await text()).toBe('y\n}\n');
  });

  it('a text that began with an empty line, so that its first line joins another one', async () => {
    const { replace, text } = await opened('a\nx\nb\n');
    for (const next of ['y\n', ''])
      await expect(replace('\nx\n', next)).rejects.toThrow('would be joined to line 1');
    await replace('\nx\n', '\ny\n');
    await replace('\ny', '');
    expect(await text()).toBe('a\nb\n');
  });

  it('a first line without its indentation that would be a later line', async () => {
    const { replace, text } = await opened('    x = 1\n    y = 2\n\n');
    const refusal = replace('x = 1\n    y = 2\n', 'w = 0\nx = 1\n    y = 2\n');
    await expect(refusal).rejects.toThrow('less indentation than line 1');
    await replace('y = 2\n\n', 'w = 0\ny = 2\n\n');
    expect(await text()).toBe('    x = 1\n    w = 0\n    y = 2\n\n');
  });

  it('a text that is found several times only without its indentation', async () => {
    const { replace } = await opened('  x();\n    x();\n');
    await expect(replace('\tx();\n', '\ty();\n')).rejects.toThrow('at lines 1, 2');
  });

  it('lines whose indentations have another order', async () => {
    const { replace } = await opened('a:\n    b\n  c\n');
    await expect(replace('a:\n  b\n    c\n', 'z\n')).rejects.toThrow('not found');
  });

  it('a text that is only similar in a file that the model never read', async () => {
    const { replace, text } = await fileWith('  a\n');
    await expect(replace('\ta\n', '\tb\n')).rejects.toThrow('that you have not seen');
    await replace('  a', '  b');
    expect(await text()).toBe('  b\n');
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'give old_string and new_string, or operations'],
    [{ old_string: 'a' }, 'new_string: missing'],
    [{ new_string: 'a' }, 'old_string: missing'],
    [{ old_string: 'a', new_string: 'a' }, 'are the same'],
    [{ old_string: 'a', new_string: 'b', operations: [] }, 'not both'],
    [{ old_string: '', new_string: 'b' }, 'old_string is empty'],
    [{ old_string: 'a', new_string: 'b', all: true }, 'all'],
    [{ old_string: 7, new_string: 'b' }, 'old_string'],
  ])('%j', async (input, message) => {
    const { call, path, text } = await opened('a\n');
    await expect(call(edit, { path, ...input })).rejects.toThrow(message);
    expect(await text()).toBe('a\n');
  });
});

it('creates a missing file, and fills an empty one, with an empty old text', async () => {
  const { call, replace, path, text } = await fileWith('');
  await replace('', 'a\n');
  expect(await text()).toBe('a\n');
  const { result } = await call(edit, { path: `${path}/../new/b.ts`, old_string: '', new_string: 'x\ny' });
  expect(result).toMatchObject({ linesChanged: 2, newLineCount: 2 });
  await expect(call(edit, { path: 'none', old_string: 'a', new_string: 'b' })).rejects.toThrow(
    'file not found',
  );
});

describe('a text that an earlier edit of the same reply has changed', () => {
  const lines = 'a\nb\nc\nd\ne\n';

  async function inReply(...edits: readonly (readonly [string, string])[]) {
    const file = await opened(lines);
    const results = [];
    for (const [old_string, new_string] of edits)
      results.push(await file.callInReply(edit, { path: file.path, old_string, new_string }));
    return { text: await file.text(), note: results.at(-1)?.result.note };
  }

  it('is applied to the lines that both leave alone', async () => {
    expect(await inReply(['a\nb\n', 'a\nB\n'], ['b\nc\nd\n', 'b\nc\nD\n'])).toEqual({
      text: 'a\nB\nc\nD\ne\n',
      note: 'old_string is from before your earlier edit; its other lines keep that edit',
    });
    expect((await inReply(['b\n', 'B\n'], ['b\nc', 'b\nx\nc'])).text).toBe('a\nB\nx\nc\nd\ne\n');
  });

  it('is refused if it changes the same lines, and the error shows them', async () => {
    const changed = inReply(['b\n', 'B\n'], ['a\nb\n', 'a\nx\n']);
    await expect(changed).rejects.toThrow(
      /your earlier edit changed these lines.*nothing was applied[\s\S]*2→B/,
    );
    const inserted = inReply(['b\nc', 'b\n1\nc'], ['b\nc', 'b\n2\nc']);
    await expect(inserted).rejects.toThrow('your earlier edit changed these lines');
  });

  it('is not looked for after the model has read what the edit did', async () => {
    const { replace, text } = await opened(lines);
    await replace('b\n', 'B\n');
    await expect(replace('b\nc\n', 'b\nC\n')).rejects.toThrow('old_string is not found');
    expect(await text()).toBe('a\nB\nc\nd\ne\n');
  });
});

it.each([
  ['a line feed first, in a CRLF file', 'a\r\n\r\nb\r\n', '\nb', '\nx\nb', 'a\r\n\r\nx\r\nb\r\n'],
  [
    'less indentation, and more lines',
    '  if (a) {\n    b();\n  }\n',
    '  b();',
    '  b();\n  c();',
    '  if (a) {\n    b();\n    c();\n  }\n',
  ],
  ['a deleted line without its indentation', 'a\n  b\n  c\n', 'b\n', '', 'a\n  c\n'],
  ['a line before white space, and more lines', 'a  \nb\n', 'a', 'a\nx', 'a  \nx\nb\n'],
  [
    'a line without its indentation, and further ones with it',
    '  a\n  c\n',
    'a',
    'a\n  b',
    '  a\n  b\n  c\n',
  ],
  [
    'comments that align with a space',
    '\t/**\n\t * a\n\t */\n',
    '    /**\n     * a\n',
    '    /**\n     * a\n     * b\n        c\n',
    '\t/**\n\t * a\n\t * b\n\t\tc\n\t */\n',
  ],
  ['a kind of quotes that only the new text has', "f('a')\n", 'f(‘a’)', 'f(‘a’, “b”)', 'f(\'a\', "b")\n'],
])('writes what the model meant: %s', async (_name, content, wanted, next, after) => {
  const { replace, text } = await opened(content);
  await replace(wanted, next);
  expect(await text()).toBe(after);
});

it('refuses new lines whose indentation fits no line, and shows the line', async () => {
  const { replace, text } = await opened('{\n    a();\n}\n');
  await expect(replace('a();', 'a();\nb();')).rejects.toThrow(
    /less indentation than line 2[\s\S]*2→ {4}a\(\);/,
  );
  expect(await text()).toBe('{\n    a();\n}\n');
});

it('says which encoding it assumes where a file is not UTF-8, and keeps all other bytes', async () => {
  const { call, path, replace } = await fileWith('');
  const shiftJis = Buffer.from([0x83, 0x65, 0x0a, 0x61, 0x0a, 0xff, 0x0a]);
  await writeFile(path, shiftJis);
  const { result, text } = await call(read, { path });
  expect(result.note).toContain('not valid UTF-8, so each byte was taken for a Latin-1 character');
  expect(text).toContain('Latin-1');
  expect((await replace('a\n', 'b\n')).result.note).toContain('Latin-1');
  expect(await readFile(path)).toEqual(Buffer.from([0x83, 0x65, 0x0a, 0x62, 0x0a, 0xff, 0x0a]));
});

it('replaces in all places or none, also where they are very many', async () => {
  const { replace, text } = await opened('ab '.repeat(1_500));
  await expect(replace('a', 'c', true)).rejects.toThrow('found 1000 times or more');
  expect(await text()).toBe('ab '.repeat(1_500));
  await replace('ab '.repeat(2), 'x', true);
  expect(await text()).toBe('x'.repeat(750));
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `  line ${index + 1};\n`).join('');

it('refuses a text that is not exact, in lines that the model was not shown', async () => {
  const { call, path, replace, text } = await fileWith(numbered(600));
  await call(read, { path, end_line: 50 });
  await expect(replace('\t\tline 500;\n', 'x\n')).rejects.toThrow(
    /means lines of .* that you have not seen; nothing was applied\. The file now has:[\s\S]*500→ {2}line 500;/,
  );
  await expect(replace('  300→  line 300;\n', 'x\n')).rejects.toThrow('that you have not seen');
  expect(await text()).toBe(numbered(600));
  await replace('\t\tline 40;\n', '\t\tx;\n');
  expect(await text()).toBe(numbered(600).replace('line 40;', 'x;'));
});

it('replaces all places of a file only after the model has read it', async () => {
  const { call, path, replace, text } = await fileWith('a\nb\na\n');
  await expect(replace('a', 'c', true)).rejects.toThrow('replace_all means lines of');
  await call(read, { path });
  await replace('a', 'c', true);
  expect(await text()).toBe('c\nb\nc\n');
});

it('does not take a line for known whose end was not shown', async () => {
  const { call, path, text } = await fileWith(`a\n${'x'.repeat(5_000)}\nb\n`);
  expect((await call(read, { path })).text).toContain('the ends of long lines are left out');
  const drop = (line: number) =>
    call(edit, { path, operations: [{ op: 'delete', startLine: line, endLine: line }] });
  await expect(drop(2)).rejects.toThrow('you have not seen line 2');
  await drop(3);
  expect(await text()).toBe(`a\n${'x'.repeat(5_000)}\n`);
});

it('shows nothing of an unread file outside the workspace before the gate has decided', async () => {
  const { call } = await fileWith('');
  const outside = join(await tempDir(), 'config');
  await writeFile(outside, 'HostName 10.1.2.3\n');
  const change = { path: outside, old_string: 'Host x', new_string: 'y' };
  const error = await call(edit, change).catch((failure: unknown) => failure);
  expect(String(error)).toContain('you have not read');
  expect(String(error)).not.toContain('10.1.2.3');
});
