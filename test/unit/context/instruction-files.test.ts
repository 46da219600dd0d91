import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instructionFiles } from '../../../extension/core/context/instruction-files.ts';
import { INSTRUCTIONS_LIMIT, instructionsContext } from '../../../extension/core/context/instructions.ts';
import { wellFormedText } from '../../../extension/core/providers/wire/unicode.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { folderWith } from '../../support/folder-with.ts';

const OUTSIDE = 'this lies outside of the workspace';

function discover(roots: readonly string[], home: string, touched: readonly string[] = [], limit = 1000) {
  const workspace = new NodeWorkspace(
    roots.map((path) => ({ name: path, path })),
    () => Promise.reject(new Error('not searched')),
  );
  return instructionFiles(workspace, home, touched, limit, new AbortController().signal);
}

/** What is found below `folder`, its home and its root `w`. */
async function found(folder: string, ...touched: readonly string[]): Promise<string[]> {
  const files = await discover(
    [join(folder, 'w')],
    join(folder, 'home'),
    touched.map((path) => join(folder, path)),
  );
  return files.map(({ path, text }) => `${relative(folder, path).replaceAll(sep, '/')}: ${text}`);
}

test('the user’s own come first, then root and touched folders, each before what is in it', async () => {
  const folder = await folderWith({
    'home/AGENTS.md': 'user',
    'w/AGENTS.md': 'root',
    'w/a/AGENTS.md': 'a',
    'w/a/b/c/AGENTS.md': 'c',
    'w/d/AGENTS.md': 'd',
    'w/not/AGENTS.md': 'not touched',
  });
  expect(await found(folder, 'w/d/x.ts', 'w/a/b/c/y.ts', 'w/a/b/z.ts', 'elsewhere/q.ts')).toEqual([
    'home/AGENTS.md: user',
    'w/AGENTS.md: root',
    'w/a/AGENTS.md: a',
    'w/a/b/c/AGENTS.md: c',
    'w/d/AGENTS.md: d',
  ]);
});

test.each([
  [{ 'AGENTS.override.md': '1', 'AGENTS.md': '2', 'CLAUDE.md': '3' }, ['w/AGENTS.override.md: 1']],
  [{ 'AGENTS.md': '2', 'CLAUDE.md': '3' }, ['w/AGENTS.md: 2']],
  [{ 'AGENTS.md': ' \n\t', 'CLAUDE.md': '3' }, ['w/CLAUDE.md: 3']],
  [{ 'CLAUDE.md': '3', '.github/copilot-instructions.md': '4' }, ['w/CLAUDE.md: 3']],
  [{ '.github/copilot-instructions.md': '4' }, ['w/.github/copilot-instructions.md: 4']],
  [{ 'AGENTS.md/x': 'a folder', 'CLAUDE.md': '3' }, ['w/CLAUDE.md: 3']],
  [{ 'AGENTS.md': 'bin\0ary', 'CLAUDE.md': '3' }, ['w/CLAUDE.md: 3']],
  [{ 'README.md': 'none' }, []],
])('of one folder the first that holds something: %j', async (files, expected) => {
  const inRoot = Object.entries(files).map(([name, text]) => [`w/${name}`, text]);
  expect(await found(await folderWith(Object.fromEntries(inRoot)))).toEqual(expected);
});

test('copilot’s file counts in a root alone', async () => {
  const folder = await folderWith({ 'w/a/.github/copilot-instructions.md': '4', 'w/a/x.ts': '' });
  expect(await found(folder, 'w/a/x.ts')).toEqual([]);
});

test('each root has its own, and a root in a root is read once', async () => {
  const folder = await folderWith({ 'one/AGENTS.md': '1', 'one/in/AGENTS.md': 'in', 'two/CLAUDE.md': '2' });
  const roots = ['one', 'two', join('one', 'in')].map((name) => join(folder, name));
  const files = await discover(roots, join(folder, 'home'), [join(folder, 'one', 'in', 'x.ts')]);
  expect(files.map(({ text }) => text)).toEqual(['1', 'in', '2']);
});

test('a root that is a link is the folder behind it', async () => {
  const folder = await folderWith({ 'real/AGENTS.md': 'root', 'real/a/AGENTS.md': 'a' });
  await symlink(join(folder, 'real'), join(folder, 'w'));
  const touched = ['real/a/x.ts'];
  expect(await found(folder, ...touched)).toEqual(['w/AGENTS.md: root', 'w/a/AGENTS.md: a']);
});

test('no link leads out, and the user’s own file may lie where they keep it', async () => {
  const folder = await folderWith({
    'out/AGENTS.md': OUTSIDE,
    'w/own.md': 'inside',
    'w/b/x.ts': '',
    'home/x': '',
  });
  await symlink(join(folder, 'out', 'AGENTS.md'), join(folder, 'w', 'AGENTS.md'));
  await symlink(join(folder, 'w', 'own.md'), join(folder, 'w', 'CLAUDE.md'));
  await symlink(join(folder, 'out'), join(folder, 'w', 'a'));
  await symlink('AGENTS.md', join(folder, 'w', 'b', 'AGENTS.md'));
  expect(await found(folder, 'w/a/x.ts', 'w/b/x.ts')).toEqual(['w/CLAUDE.md: inside']);
  await symlink(join(folder, 'out', 'AGENTS.md'), join(folder, 'home', 'AGENTS.md'));
  expect(await found(folder)).toContain(`home/AGENTS.md: ${OUTSIDE}`);
});

test.skipIf(process.platform === 'win32')('a pipe is left alone', async () => {
  const folder = await folderWith({ 'w/CLAUDE.md': '3' });
  await promisify(execFile)('mkfifo', [join(folder, 'w', 'AGENTS.md')]);
  expect(await found(folder)).toEqual(['w/CLAUDE.md: 3']);
});

test('of a long file the beginning is read, in whole characters, whatever its encoding', async () => {
  const folder = await folderWith({
    'w/AGENTS.md': `\u{feff}${'é'.repeat(2000)}`,
    'w/a/AGENTS.md': Buffer.from(`\u{feff}${'é'.repeat(2000)}`, 'utf16le'),
    'w/a/b/AGENTS.md': 'short',
  });
  const files = await discover([join(folder, 'w')], folder, [join(folder, 'w', 'a', 'b', 'x.ts')], 1000);
  expect(files.map(({ text, isCut }) => [text, isCut])).toEqual([
    ['é'.repeat(498), true],
    ['é'.repeat(499), true],
    ['short', false],
  ]);
});

test('a root that is gone, and no root, have none', async () => {
  const folder = await folderWith({ 'home/AGENTS.md': 'user' });
  expect(await found(folder, 'w/a/x.ts')).toEqual(['home/AGENTS.md: user']);
  expect(await discover([], folder)).toEqual([]);
});

const folders = ['', 'a', 'a/b', 'a/b/c', 'd', 'd/e'];
const kinds = ['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.md'] as const;
const entry = fc.record({
  folder: fc.constantFrom(...folders),
  name: fc.constantFrom(...kinds),
  what: fc.oneof(
    fc.constant({ link: 'out' } as const),
    fc.constant({ link: 'in' } as const),
    fc.record({ size: fc.integer({ min: 0, max: 20_000 }) }),
  ),
});

test('whatever lies where: never from outside, never over the limit, and a folder before what is in it', async () => {
  const shape = fc.array(entry, { maxLength: 12 });
  const touchedIn = fc.subarray(folders);
  await fc.assert(
    fc.asyncProperty(shape, touchedIn, async (entries, touched) => {
      const folder = await folderWith({ 'out/AGENTS.md': OUTSIDE, 'w/own.md': 'own' });
      const root = join(folder, 'w');
      for (const name of folders) await mkdir(join(root, name), { recursive: true });
      for (const { folder: place, name, what } of entries) {
        const path = join(root, place, name);
        await rm(path, { force: true });
        if ('size' in what) await writeFile(path, '€'.repeat(what.size));
        else await symlink(join(folder, what.link === 'out' ? 'out/AGENTS.md' : 'w/own.md'), path);
      }
      const files = await discover(
        [root],
        join(folder, 'home'),
        touched.map((place) => join(root, place, 'x.ts')),
        INSTRUCTIONS_LIMIT,
      );
      const { text } = instructionsContext(files);
      expect(text).not.toContain(OUTSIDE);
      expect(wellFormedText(text)).toBe(text);
      const told = [...text.matchAll(/<INSTRUCTIONS>\n([\s\S]*?)\n<\/INSTRUCTIONS>/g)].map(
        (match) => match[1],
      );
      expect(Buffer.byteLength(told.join(''))).toBeLessThanOrEqual(INSTRUCTIONS_LIMIT);
      const places = files.map(({ path }) => dirname(path));
      expect(new Set(places).size, 'one file of each folder').toBe(places.length);
      for (const [index, place] of places.entries()) {
        const below = places.slice(0, index).filter((other) => other.startsWith(`${place}${sep}`));
        expect(below, 'a folder before what is in it').toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});
