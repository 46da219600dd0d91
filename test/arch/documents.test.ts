import { access, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypes } from '../../extension/protocol/events.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFile(join(ROOT, file), 'utf8');

test('docs/events.md lists the events that there are', async () => {
  const listed = [...(await text('docs/events.md')).matchAll(/^\| `(\w+)` +\|/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual([...eventTypes].sort());
});

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...(await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

test('every relative link in a document leads somewhere', async () => {
  const broken: string[] = [];
  for (const document of documents) {
    for (const [, target] of (await text(document)).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)) {
      const found = await readFile(join(ROOT, document, '..', target ?? '')).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'EISDIR',
      );
      if (!found) broken.push(`${document} -> ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

/** In a document: a path from the root, or below `extension/`. */
const FILE =
  /`((?:extension|webview|test|docs|core|app|node|vscode|headless|protocol)\/[\w./-]*(?:\.\w+|\/))`/g;
const RUNTIME = /^(?:core|app|node|vscode|headless|protocol)\//;

const filesIn = (document: string) =>
  [...document.matchAll(FILE)].map(([, file = '']) => (RUNTIME.test(file) ? `extension/${file}` : file));

test('the files and folders that a document names exist', async () => {
  for (const document of documents) {
    for (const file of filesIn(await text(document)))
      await expect(access(join(ROOT, file)), `${document}: ${file}`).resolves.toBeUndefined();
  }
  expect(filesIn(await text('CONTRIBUTING.md')).length).toBeGreaterThan(5);
});

test.each([
  ['ARCHITECTURE.md', ['core', 'app', 'node', 'vscode']],
  ['CONTRIBUTING.md', ['vscode']],
])('%s has every room of %j', async (document, runtimes) => {
  const page = await text(document);
  for (const runtime of runtimes) {
    const entries = await readdir(join(ROOT, 'extension', runtime), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.filter((room) => !page.includes(`\`${room}\``) && !page.includes(`\`${room}/\``))).toEqual(
      [],
    );
  }
});

test('no file over 400 lines', async () => {
  const long: string[] = [];
  for (const folder of ['extension', 'webview', 'scripts', 'test']) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || !/\.(tsx?|mjs|css)$/.test(entry.name)) continue;
      const lines = (await readFile(join(entry.parentPath, entry.name), 'utf8')).split('\n').length;
      if (lines > 400) long.push(`${entry.name}: ${lines}`);
    }
  }
  expect(long).toEqual([]);
});
