import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearch } from '../../../../extension/node/search/ripgrep-search.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

describe.each([
  ['ripgrep', createSearch({ ripgrepPath })],
  ["the machine's grep", createSearch({})],
])('searching with %s', (name, search) => {
  const find = async (pattern: string, path: string, recursive = false, maxMatches = 2000) =>
    search({ pattern, path, recursive, maxMatches }, new AbortController().signal);
  const lines = async (pattern: string, path: string, recursive = false) =>
    (await find(pattern, path, recursive)).matches.split('\n').filter((line) => line !== '');
  /** The files in which something was found, relative to the folder. */
  const files = async (pattern: string, folder: string, path = folder, recursive = true) =>
    (await lines(pattern, path, recursive)).map((line) => line.slice(folder.length + 1).split(':')[0]);

  it('gives line:content for a file, nothing where no line matches', async () => {
    const folder = await folderWith({ 'a.txt': 'one\ntwo: 2\nthree\nlast' });
    expect(await lines('t', join(folder, 'a.txt'))).toEqual(['2:two: 2', '3:three', '4:last']);
    expect(await find('x', join(folder, 'a.txt'))).toEqual({ matches: '', omitted: 0 });
    expect(await lines('', join(folder, 'a.txt'), true)).toHaveLength(4);
  });

  it('gives file:line:content with absolute paths for a directory, of its own files alone unless recursive', async () => {
    const folder = await folderWith({ 'b.txt': 'x\nfoo\n', 'a/c.txt': 'foo\n', '.hidden': 'foo bar\n' });
    const own = [`${folder}/.hidden:1:foo bar`, `${folder}/b.txt:2:foo`];
    expect(await lines('foo', folder)).toEqual(own);
    expect(await lines('foo', folder, true)).toEqual([own[0], `${folder}/a/c.txt:1:foo`, own[1]]);
  });

  it('sorts by path, folder by folder', async () => {
    const names = ['a/z', 'a.b', 'a-b/x', 'B', 'é', 'a b', 'ab/c/d', 'ab/c.d', '😀', '\uffee'];
    const folder = await folderWith(Object.fromEntries(names.map((path) => [path, 'x\n'])));
    const sorted = ['B', 'a/z', 'a b', 'a-b/x', 'a.b', 'ab/c/d', 'ab/c.d', 'é', '\uffee', '😀'];
    expect(await files('x', folder)).toEqual(sorted);
  });

  it('keeps the first lines in that order and counts the others', async () => {
    const folder = await folderWith({ b: 'x\nx\nx\n', a: 'x\nx\n', c: 'x\n' });
    const { matches, omitted } = await find('x', folder, true, 3);
    expect(matches).toBe(`${folder}/a:1:x\n${folder}/a:2:x\n${folder}/b:1:x`);
    expect(omitted).toBe(3);
  });

  it('skips .git and what the ignore files name, in a repository or not', async () => {
    const folder = await folderWith({
      '.gitignore': 'dist/\n*.log\n/only-here\n',
      '.git/config': 'x',
      'worktree/.git': 'x',
      'a.log': 'x',
      'only-here': 'x',
      'sub/only-here': 'x',
      'dist/a': 'x',
      'sub/dist/a': 'x',
      'sub/.ignore': 'b\n!keep.log\n',
      'sub/b': 'x',
      'sub/keep.log': 'x',
      c: 'x',
    });
    expect(await files('x', folder)).toEqual(['c', 'sub/keep.log', 'sub/only-here']);
  });

  it('searches a directory whole that is ignored itself', async () => {
    const folder = await folderWith({
      '.gitignore': 'node_modules\n*.min.js\n',
      'node_modules/p/dist/a.min.js': 'x',
      'node_modules/p/.gitignore': 'dist\n',
      'node_modules/q/.git/config': 'x',
    });
    expect(await files('x', folder)).toEqual([]);
    for (const path of ['node_modules', 'node_modules/p', 'node_modules/p/dist']) {
      expect(await files('x', folder, join(folder, path))).toEqual(['node_modules/p/dist/a.min.js']);
    }
  });

  it('takes a .git that is named, and an ignored file in a directory that is not searched below', async () => {
    const folder = await folderWith({ '.git/hooks/a': 'x', '.gitignore': 'b\n', b: 'x' });
    expect(await files('x', folder, join(folder, '.git'))).toEqual(['.git/hooks/a']);
    expect(await files('x', folder, folder, false)).toEqual(['b']);
    expect(await lines('x', join(folder, 'b'))).toEqual(['1:x']);
  });

  it('stops at the root of a repository when it looks for .gitignore', async () => {
    const home = {
      '.gitignore': '*\n',
      'repo/.git/HEAD': '',
      'repo/.gitignore': 'dist\n',
      'repo/src/a': 'x',
      'repo/dist/a': 'x',
      'repo/module/.git': '',
      'repo/module/dist/a': 'x',
    };
    const folder = await folderWith(home);
    expect(await files('x', folder, join(folder, 'repo'))).toEqual(['repo/module/dist/a', 'repo/src/a']);
    expect(await files('x', folder, join(folder, 'repo/src'))).toEqual(['repo/src/a']);
  });

  it('skips binary files', async () => {
    const folder = await folderWith({
      'a.bin': 'foo\n\0\nfoo\n',
      'b.txt': 'foo\n',
      'c.utf16': Buffer.from('\ufefffoo\n', 'utf16le'),
    });
    expect(await files('foo', folder)).toEqual(['b.txt']);
    expect(await find('foo', join(folder, 'a.bin'))).toEqual({ matches: '', omitted: 0 });
  });

  it('does not follow links, nor loops of them, but takes one that is named', async () => {
    const folder = await folderWith({ 'real/a': 'x' });
    const outside = await folderWith({ secret: 'x' });
    await symlink(outside, join(folder, 'out'));
    await symlink(join(outside, 'secret'), join(folder, 'secret'));
    await symlink('..', join(folder, 'real', 'loop'));
    expect(await files('x', folder)).toEqual(['real/a']);
    expect(await files('x', folder, folder, false)).toEqual([]);
    expect(await lines('x', join(folder, 'out'))).toEqual([`${folder}/out/secret:1:x`]);
  });

  it('is not blocked by pipes and devices', async () => {
    const folder = await folderWith({ a: 'x' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await files('x', folder)).toEqual(['a']);
    expect(await files('x', folder, folder, false)).toEqual(['a']);
    const refused = expect.objectContaining({ reason: 'not-regular' });
    await expect(find('x', join(folder, 'pipe'))).rejects.toEqual(refused);
    await expect(find('x', '/dev/zero')).rejects.toEqual(refused);
  });

  it('says what is wrong with the path or the pattern', async () => {
    const folder = await folderWith({ a: 'x' });
    const missing = { reason: 'not-found', message: `file not found: ${folder}/b` };
    await expect(find('x', join(folder, 'b'))).rejects.toMatchObject(missing);
    await expect(find('x', join(folder, 'a', 'b'))).rejects.toMatchObject({ reason: 'not-directory' });
    const invalid = { reason: 'invalid-pattern', message: 'Unmatched ( or \\(' };
    await expect(find('\\(', folder)).rejects.toMatchObject(invalid);
  });

  it('takes names and patterns that look like options for what they are', async () => {
    const folder = await folderWith({ '-rf': '--pre=x\n', '--help': '-e\n', 'a:1:b\\n': '--pre=x\n' });
    expect(await lines('--pre=x', join(folder, '-rf'))).toEqual(['1:--pre=x']);
    expect(await lines('--pre=x', folder)).toEqual([
      `${folder}/-rf:1:--pre=x`,
      `${folder}/a:1:b\\n:1:--pre=x`,
    ]);
    expect(await lines('-e', folder, true)).toEqual(
      [`${folder}/--help:1:-e`, `${folder}/-rf:1:--pre=x`].slice(0, 1),
    );
  });

  it('finds what is in a file whose name has a line feed, if it says so badly', async () => {
    const folder = await folderWith({ 'a\nb': 'x\ny\n', c: 'x\n' });
    expect((await find('x', folder, true)).matches).toBe(`${folder}/a\nb:1:x\n${folder}/c:1:x`);
  });

  it('leaves a carriage return to its line, and a mark at the start to the first', async () => {
    const folder = await folderWith({ 'a.txt': '\ufefffoo\r\nfoo\r\n' });
    expect(await lines('foo$', join(folder, 'a.txt'))).toEqual([]);
    expect((await find('^foo.$', join(folder, 'a.txt'))).matches).toBe('2:foo\r');
  });

  it('cuts a long line between two characters', async () => {
    const folder = await folderWith({
      'a.txt': `x${'é'.repeat(1998)}😀${'y'.repeat(100_000)}\n${'z'.repeat(2000)}x`,
    });
    const [first, second] = await lines('x', join(folder, 'a.txt'));
    expect(first).toBe(`1:x${'é'.repeat(1998)}... (line cut after 1999 characters)`);
    expect(second).toBe(`2:${'z'.repeat(2000)}... (line cut after 2000 characters)`);
  });

  it(`finds ${name === 'ripgrep' ? 'with PCRE2' : ''} what needs back-references`, async () => {
    const folder = await folderWith({ a: 'the the\nthe cat\n', b: 'aa bb\n' });
    expect(await lines('\\(\\w\\w*\\) \\1', folder, true)).toEqual([`${folder}/a:1:the the`]);
    expect(await lines('\\(\\(.\\)\\2 \\)*b', folder, true)).toEqual([`${folder}/b:1:aa bb`]);
  });

  it('passes over links that lead nowhere and ignore files that make no sense', async () => {
    const folder = await folderWith({ 'c/x': 'x', b: 'x', '.gitignore': '[z-a]\n\\\n' });
    await symlink('/nowhere', join(folder, 'd'));
    expect(await files('x', folder)).toEqual(['b', 'c/x']);
  });
});
