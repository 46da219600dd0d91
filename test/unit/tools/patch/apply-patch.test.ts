import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeAction } from '../../../../extension/core/permission/describe-action.ts';
import { ABSENT, type Change, WorkspaceError } from '../../../../extension/core/ports/workspace.ts';
import { applyPatch } from '../../../../extension/core/tools/patch/apply-patch.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { RUNNING_CALL } from '../../../support/running-call.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace, unsavedIn } from '../call-tool.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

async function folderWith(files: Files) {
  const folder = await tempDir();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const tools = bench(diskWorkspace(folder));
  const input = (lines: readonly string[]) => ({
    input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
  });
  return {
    ...tools,
    folder,
    patch: (...lines: readonly string[]) => tools.call(applyPatch, input(lines)),
    prepare: (...lines: readonly string[]) =>
      applyPatch.prepare(input(lines), tools.context, new AbortController().signal),
    text: (name: string) => readFile(join(folder, name), 'utf8'),
    names: async () => (await readdir(folder, { recursive: true })).sort(),
  };
}

const EVERYTHING = [
  '*** Add File: new/deep/a.txt',
  '+one',
  '+two',
  '*** Update File: b.txt',
  '@@',
  ' x',
  '-y',
  '+z',
  '*** Delete File: c.txt',
  '*** Update File: d.txt',
  '*** Move to: moved/e.txt',
  '@@',
  '-d',
  '+e',
];

const everything = () => folderWith({ 'b.txt': 'x\ny\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });

it('adds, changes, deletes and moves files at once', async () => {
  const { patch, text, names, folder, seen } = await everything();
  await chmod(join(folder, 'd.txt'), 0o755);
  const { result } = await patch(...EVERYTHING);
  expect(await names()).toEqual(['b.txt', 'moved', 'moved/e.txt', 'new', 'new/deep', 'new/deep/a.txt']);
  expect(await text('new/deep/a.txt')).toBe('one\ntwo\n');
  expect(await text('b.txt')).toBe('x\nz\n');
  expect(await text('moved/e.txt')).toBe('e\n');
  expect((await stat(join(folder, 'moved/e.txt'))).mode & 0o777).toBe(0o755);
  expect(result).toEqual({
    content: 'Success. Updated the following files:\nA new/deep/a.txt\nM b.txt\nM moved/e.txt\nD c.txt\n',
  });
  expect(seen.get(join(folder, 'c.txt'))).toMatchObject({ version: ABSENT });
  expect(seen.get(join(folder, 'd.txt'))).toMatchObject({ version: ABSENT });
  expect(seen.get(join(folder, 'new/deep/a.txt'))).toMatchObject({ text: 'one\ntwo\n' });
});

it('shows people all of it before and afterwards', async () => {
  const { patch, folder } = await everything();
  const { action, previews, diff } = await patch(...EVERYTHING);
  const at = (name: string) => join(folder, name);
  expect(previews).toEqual([
    { path: at('new/deep/a.txt'), before: null, after: 'one\ntwo\n' },
    { path: at('b.txt'), before: 'x\ny\n', after: 'x\nz\n' },
    { path: at('c.txt'), before: 'c\n', after: null },
    { path: at('d.txt'), before: 'd\n', after: null },
    { path: at('moved/e.txt'), before: null, after: 'e\n' },
  ]);
  expect(action).toMatchObject({ kind: 'patch', tool: 'apply_patch', added: 4, removed: 3, unsaved: false });
  expect(diff?.text.split('\n').filter((line) => line.startsWith('\\'))).toEqual([
    '\\ A new/deep/a.txt',
    '\\ M b.txt',
    '\\ D c.txt',
    '\\ M d.txt → moved/e.txt',
  ]);
  expect(describeAction(action, undefined, [{ name: 'w', path: folder }])).toEqual({
    title: 'Apply a patch to 4 files?',
    detail: [
      `A ${at('new/deep/a.txt')}`,
      `M ${at('b.txt')}`,
      `D ${at('c.txt')}`,
      `R ${at('d.txt')} → ${at('moved/e.txt')}`,
    ].join('\n'),
    warnings: [`Deletes ${at('c.txt')}`],
    added: 4,
    removed: 3,
  });
});

it('changes nothing while it is prepared', async () => {
  const { prepare, names, text } = await everything();
  await prepare(...EVERYTHING);
  expect(await names()).toEqual(['b.txt', 'c.txt', 'd.txt']);
  expect(await text('b.txt')).toBe('x\ny\n');
});

describe('all or nothing', () => {
  it('when a later file does not fit', async () => {
    const { patch, text } = await folderWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const failing = patch('*** Update File: a.txt', '-a', '+x', '*** Update File: b.txt', '-q', '+x');
    await expect(failing).rejects.toThrow('Failed to find expected lines in b.txt:\nq');
    expect(await text('a.txt')).toBe('a\n');
  });

  it.each([
    ['move', 1],
    ['write', 1],
    ['write', 2],
    ['write', 3],
    ['delete', 1],
    ['delete', 2],
  ] as const)('when the workspace fails at a %s (%i)', async (kind, count) => {
    const files = {
      'b.txt': 'x\ny\n',
      'c.txt': 'c\n',
      'd.txt': 'd\n',
      'f.txt': 'f\n',
      'moved/e.txt': 'old\n',
    };
    const { call, prepare, workspace, text, names } = await folderWith(files);
    await call(read, { path: 'moved/e.txt' });
    const prepared = await prepare(...EVERYTHING, '*** Delete File: f.txt');
    failAt(workspace, kind, count);
    const work = prepared.execute(new AbortController().signal, () => undefined, RUNNING_CALL);
    await expect(work).rejects.toThrow('the disk is gone. Nothing was applied.');
    for (const [name, content] of Object.entries(files)) expect(await text(name)).toBe(content);
    expect(await names()).not.toContain('new/deep/a.txt');
  });

  it('says what could not be taken back', async () => {
    const { prepare, workspace } = await folderWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const prepared = await prepare('*** Update File: a.txt', '-a', '+x', '*** Delete File: b.txt');
    failAt(workspace, 'delete', 1);
    const apply = workspace.apply.bind(workspace);
    let writes = 0;
    workspace.apply = (change) =>
      change.kind === 'write' && ++writes === 2
        ? Promise.reject(new WorkspaceError('failed', change.path, 'still gone'))
        : apply(change);
    const work = prepared.execute(new AbortController().signal, () => undefined, RUNNING_CALL);
    await expect(work).rejects.toThrow(/was taken back, but not here: .*a\.txt/);
  });
});

/** The `count`th change of this kind fails, once. */
function failAt(workspace: ReturnType<typeof bench>['workspace'], kind: Change['kind'], count: number) {
  const apply = workspace.apply.bind(workspace);
  let left = count;
  workspace.apply = (change) => {
    if (change.kind !== kind || --left !== 0) return apply(change);
    return Promise.reject(new WorkspaceError('failed', '', 'the disk is gone'));
  };
}

it('does to a file one thing after the other', async () => {
  const { patch, text, names } = await folderWith({ 'a.txt': 'a\nb\n' });
  await patch(
    '*** Update File: a.txt',
    '-a',
    '+1',
    '*** Update File: a.txt',
    '-1',
    '+2',
    '*** Update File: a.txt',
    '*** Move to: b.txt',
    '*** Update File: b.txt',
    '*** Move to: c.txt',
    '-b',
    '+3',
    '*** Add File: gone.txt',
    '+x',
    '*** Delete File: gone.txt',
  );
  expect(await names()).toEqual(['c.txt']);
  expect(await text('c.txt')).toBe('2\n3\n');
});

it('moves a file and puts another one in its place', async () => {
  const { patch, text } = await folderWith({ 'a.txt': 'a\n' });
  const { action } = await patch(
    '*** Update File: a.txt',
    '*** Move to: b.txt',
    '*** Add File: a.txt',
    '+new',
  );
  expect(await text('a.txt')).toBe('new\n');
  expect(await text('b.txt')).toBe('a\n');
  expect(action).toMatchObject({ files: [{ after: expect.any(String) }, { before: ABSENT }] });
});

it('replaces what is there by a new file or a moved one', async () => {
  const { call, patch, text, names } = await folderWith({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  for (const path of ['a.txt', 'c.txt']) await call(read, { path });
  const { action } = await patch(
    '*** Add File: a.txt',
    '+new',
    '*** Update File: b.txt',
    '*** Move to: c.txt',
  );
  expect(await text('a.txt')).toBe('new\n');
  expect(await text('c.txt')).toBe('b\n');
  expect(await names()).toEqual(['a.txt', 'c.txt']);
  const { warnings } = describeAction(action, undefined, []);
  expect(warnings).toEqual([expect.stringMatching(/^Replaces .*c\.txt$/)]);
});

it.each([
  ['a new file', ['*** Add File: a.txt', '+new']],
  ['a moved one', ['*** Update File: b.txt', '*** Move to: a.txt']],
])('replaces no file that the model has not read by %s', async (_what, lines) => {
  const { patch, text } = await folderWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await expect(patch(...lines)).rejects.toThrow('file exists, and you have not read it in this session');
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['a\n', 'b\n']);
});

describe('a file that changed since it was read', () => {
  it.each([
    ['changed', ['*** Update File: a.txt', '-a', '+b']],
    ['deleted', ['*** Delete File: a.txt']],
    ['moved', ['*** Update File: a.txt', '*** Move to: b.txt']],
    ['replaced', ['*** Add File: a.txt', '+b']],
  ])('is not %s', async (_what, lines) => {
    const { patch, call, folder, text } = await folderWith({ 'a.txt': 'a\n' });
    await call(read, { path: 'a.txt' });
    await writeFile(join(folder, 'a.txt'), 'a\nmine\n');
    await expect(patch(...lines)).rejects.toThrow('file changed since you last saw it');
    expect(await text('a.txt')).toBe('a\nmine\n');
    await call(read, { path: 'a.txt' });
    await patch(...lines);
  });

  it('also between the approval and the patch', async () => {
    const { prepare, folder, text } = await folderWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const prepared = await prepare('*** Update File: a.txt', '-a', '+x', '*** Delete File: b.txt');
    await writeFile(join(folder, 'b.txt'), 'mine\n');
    const work = prepared.execute(new AbortController().signal, () => undefined, RUNNING_CALL);
    await expect(work).rejects.toThrow('file changed meanwhile');
    expect(await text('a.txt')).toBe('a\n');
    expect(await text('b.txt')).toBe('mine\n');
  });
});

it('neither deletes nor moves what the editor holds unsaved', async () => {
  const { folder, text } = await folderWith({ 'a.txt': 'a\n' });
  const { call } = bench(unsavedIn(diskWorkspace(folder)));
  const patch = (...lines: readonly string[]) =>
    call(applyPatch, { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  await call(read, { path: join(folder, 'a.txt') });
  await expect(patch('*** Delete File: a.txt')).rejects.toThrow('unsaved changes');
  await expect(patch('*** Update File: a.txt', '*** Move to: b.txt')).rejects.toThrow('unsaved changes');
  expect(await text('a.txt')).toBe('a\n');
});

describe('paths', () => {
  it('that lead elsewhere since the approval are not written to', async () => {
    const { prepare, folder } = await folderWith({ 'sub/a.txt': 'a\n' });
    const outside = await tempDir();
    const prepared = await prepare('*** Add File: sub/b.txt', '+x');
    await rename(join(folder, 'sub'), join(folder, 'gone'));
    await symlink(outside, join(folder, 'sub'));
    const work = prepared.execute(new AbortController().signal, () => undefined, RUNNING_CALL);
    await expect(work).rejects.toThrow('now leads to');
    expect(await readdir(outside)).toEqual([]);
  });

  it('lead nowhere but into the workspace', async () => {
    const { patch, folder } = await folderWith({ 'a.txt': 'a\n' });
    const outside = await tempDir();
    await writeFile(join(outside, 'x.txt'), 'x\n');
    await symlink(outside, join(folder, 'out'));
    const add = (path: string) => patch(`*** Add File: ${path}`, '+x');
    await expect(add(join(folder, 'b.txt'))).rejects.toThrow('relative to the workspace folder');
    await expect(add('C:\\b.txt')).rejects.toThrow('relative to the workspace folder');
    await expect(add('../b.txt')).rejects.toThrow('leads out of it: ../b.txt');
    await expect(add('sub/../../b.txt')).rejects.toThrow('leads out of it');
    await expect(add('out/b.txt')).rejects.toThrow('leads out of it: out/b.txt');
    await expect(patch('*** Delete File: out/x.txt')).rejects.toThrow('leads out of it');
    const move = patch('*** Update File: a.txt', '*** Move to: ../a.txt');
    await expect(move).rejects.toThrow('leads out of it: ../a.txt');
  });

  it('are of files', async () => {
    const { patch, folder } = await folderWith({
      'a.txt': 'a\n',
      'sub/b.txt': 'b\n',
      'c.bin': Uint8Array.of(0, 1),
    });
    await symlink('a.txt', join(folder, 'link'));
    await expect(patch('*** Delete File: sub')).rejects.toThrow('path is a directory');
    await expect(patch('*** Add File: sub/', '+x')).rejects.toThrow('path is a directory');
    await expect(patch('*** Add File: a.txt/x', '+x')).rejects.toThrow('not a directory');
    await expect(patch('*** Delete File: none')).rejects.toThrow('file not found');
    await expect(patch('*** Update File: none', '-x')).rejects.toThrow('file not found');
    await expect(patch('*** Delete File: link')).rejects.toThrow('link is a link');
    await expect(patch('*** Update File: c.bin', '-x')).rejects.toThrow('file is binary');
    await patch('*** Update File: link', '-a', '+b');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('b\n');
  });
});

it('keeps encoding, byte order mark and line ends', async () => {
  const utf16 = Buffer.from('\ufeffa\r\nb\r\n', 'utf16le');
  const latin = Uint8Array.from([0xe4, 0x0a, 0x61, 0x0a]);
  const { patch, folder } = await folderWith({ 'a.txt': utf16, 'b.txt': latin });
  await patch('*** Update File: a.txt', '-b', '+ü', '*** Update File: b.txt', '-a', '+ü');
  expect(await readFile(join(folder, 'a.txt'))).toEqual(Buffer.from('\ufeffa\r\nü\r\n', 'utf16le'));
  expect([...(await readFile(join(folder, 'b.txt')))]).toEqual([0xe4, 0x0a, 0xfc, 0x0a]);
  await expect(patch('*** Update File: b.txt', '-ü', '+世')).rejects.toThrow('cannot: it is no Unicode text');
});

it('deletes a binary file without showing it', async () => {
  const { patch, names } = await folderWith({ 'a.bin': Uint8Array.of(0, 1) });
  const { previews, result } = await patch('*** Delete File: a.bin');
  expect(previews).toEqual([]);
  expect(result).toEqual({ content: 'Success. Updated the following files:\nD a.bin\n' });
  expect(await names()).toEqual([]);
});

it('says so when nothing would be changed', async () => {
  const { patch } = await folderWith({ 'a.txt': 'a\n' });
  await expect(patch('*** Update File: a.txt', '-a', '+a')).rejects.toThrow('No files were modified');
  await expect(patch()).rejects.toThrow('No files were modified');
});

it('tells models of its grammar, and others of a text', () => {
  expect(applyPatch.freeform).toMatchObject({
    syntax: 'lark',
    definition: expect.stringContaining('start:'),
  });
  expect(applyPatch.inputSchema).toMatchObject({ required: ['input'] });
});
