// docs/conformance.md promises tests, which are there.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGE = text('docs/conformance.md');

/** `[word](../test/… "title")` */
const LINK = /\[[^\]]+\]\(\.\.\/(\S+) (?:"([^"]+)"|'([^']+)')\)/g;
const TEST = /\btest(?:\.\w+\((?:[^()]|\([^()]*\))*\))*\(\s*(['"`])(.*?)\1,/g;

/** What makes tests out of the fixtures of a protocol, by the folder of its provider. */
const FIXTURES: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  codex: 'responses',
  openai: 'chat',
  ollama: 'ollama',
};

function titlesIn(file: string): string[] {
  const code = text(file);
  const folder = FIXTURES[file.split('/').at(-2) ?? ''];
  const played = /\btestFixtures\(|'\$id: \$purpose'/.test(code) && folder ? playedOf(folder, code) : [];
  const everyByte = /\btestEveryByte\(/.test(code)
    ? literalsIn(text('test/support/wire/conformance.ts'))
    : [];
  return [...literalsIn(code), ...played, ...everyByte];
}

function literalsIn(code: string): string[] {
  return [...code.matchAll(TEST)].map(([, , title = '']) => title);
}

/** But for those that the file has tests of its own for. */
function playedOf(folder: string, code: string): string[] {
  const [, apart = ''] = /apart(?::| =) new Set\(\[([^\]]*)\]/i.exec(code) ?? [];
  return readdirSync(join(ROOT, 'test/fixtures', folder))
    .map((name) => JSON.parse(text(`test/fixtures/${folder}/${name}`)) as { id: string; purpose: string })
    .filter(({ id }) => !apart.includes(`'${id}'`))
    .map(({ id, purpose }) => `${id}: ${purpose}`);
}

const links = [...PAGE.matchAll(LINK)].map(([, file = '', double, single]) => ({
  file,
  title: double ?? single ?? '',
}));

test('the page has a test for most of its cells, and no link without one', () => {
  expect(links.length).toBeGreaterThan(100);
  expect(links).toHaveLength([...PAGE.matchAll(/\]\(/g)].length);
});

test.each([...new Set(links.map(({ file }) => file))])('%s has the tests that the page names', (file) => {
  const titles = titlesIn(file);
  const named = links.filter((link) => link.file === file).map(({ title }) => title.replaceAll('\\|', '|'));
  expect(named.filter((title) => !titles.includes(title))).toEqual([]);
});
