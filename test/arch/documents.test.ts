import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypes } from '../../extension/protocol/events.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFile(join(ROOT, file), 'utf8');

test('docs/events.md lists the events that there are', async () => {
  const listed = [...(await text('docs/events.md')).matchAll(/^\| `(\w+)` +\|/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual([...eventTypes].sort());
});

test('every relative link in a document leads somewhere', async () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...(await readdir(join(ROOT, 'docs')))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
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

test('the canonical examples of CONTRIBUTING.md exist', async () => {
  const files = [
    ...(await text('CONTRIBUTING.md')).matchAll(/`((?:extension|webview|test|docs)\/[\w./-]+\.\w+)`/g),
  ].map((match) => match[1] ?? '');
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) await expect(text(file), file).resolves.toBeTruthy();
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
