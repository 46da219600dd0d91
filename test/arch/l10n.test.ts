// Every word that somebody sees can be translated, and the languages that there are have all of them.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NodePath } from '@babel/core';
import { expect, test } from 'vitest';
import { readJson } from '../support/manifest.ts';
import { type Literal, nameOf, sentencesIn, untranslatedIn } from '../support/sentences.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PANEL = await sentencesIn('webview');
const HOST = await sentencesIn('extension/vscode');
const sentences = [...PANEL.literals, ...HOST.literals].map(({ text }) => text);

const bundles = await Promise.all(
  (await readdir(join(ROOT, 'l10n'))).map((name) => readTexts(`l10n/${name}`)),
);
const manifests = await Promise.all(
  (await readdir(ROOT)).filter((name) => name.startsWith('package.nls.')).map(readTexts),
);

interface Texts {
  readonly file: string;
  readonly texts: Readonly<Record<string, unknown>>;
}

async function readTexts(file: string): Promise<Texts> {
  return { file, texts: await readJson(file) };
}

test('there is a complete second language', () => {
  expect(bundles.map(({ file }) => file)).toContain('l10n/bundle.l10n.de.json');
  expect(manifests.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['package.nls.json', 'package.nls.de.json']),
  );
  expect(PANEL.literals.length).toBeGreaterThan(200);
  expect(HOST.literals.length).toBeGreaterThan(100);
});

test('every sentence is a literal, so that it can be found', () => {
  expect([...PANEL.others, ...HOST.others]).toEqual([]);
});

test.each(bundles)('$file has every sentence of panel and notices, and no other', ({ texts }) => {
  expect(Object.keys(texts).sort()).toEqual([...new Set(sentences)].sort());
});

test.each(bundles)('$file says something everywhere, with the same placeholders', ({ texts }) => {
  const placeholders = (text: string) => (text.match(/\{\d+\}/g) ?? []).sort();
  for (const [english, text] of Object.entries(texts)) {
    expect(text, english).toMatch(/\S/);
    expect(placeholders(String(text)), english).toEqual(placeholders(english));
    // `', {0} removed'` and the like are put behind other words.
    expect(/^\s/.test(String(text)), english).toBe(/^\s/.test(english));
  }
});

test.each(manifests)('$file has every text of package.json, and no other', async ({ texts }) => {
  const used = (await readFile(join(ROOT, 'package.json'), 'utf8')).match(/(?<=")%[^%"]+%(?=")/g) ?? [];
  expect(Object.keys(texts).sort()).toEqual([...new Set(used.map((key) => key.slice(1, -1)))].sort());
  for (const [key, text] of Object.entries(texts)) expect(text, key).toMatch(/\S/);
});

/** Names of fields that VS Code shows; in `contributes`, and two at the top. */
const shownFields = new Set(
  'title shortTitle category label name contextualTitle contents description markdownDescription enumDescriptions markdownEnumDescriptions enumItemLabels deprecationMessage markdownDeprecationMessage patternErrorMessage'.split(
    ' ',
  ),
);

/** The texts in `value` that VS Code shows and no language can change; `field` is the one that holds it. */
function fixedTexts(value: unknown, field: string): string[] {
  if (typeof value === 'string')
    return shownFields.has(field) && !/^%.+%$/.test(value) ? [`${field}: ${value}`] : [];
  if (Array.isArray(value)) return value.flatMap((item) => fixedTexts(item, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => fixedTexts(item, name));
}

test('package.json holds no text of its own that VS Code shows', async () => {
  const { displayName, description, capabilities, contributes } = await readJson('package.json');
  expect({ displayName, description }).toEqual({
    displayName: '%displayName%',
    description: '%description%',
  });
  expect(fixedTexts([capabilities, contributes], '')).toEqual([]);
});

test.each([
  { commands: [{ title: 'Ask' }] },
  { configuration: [{ properties: { 'harness.x': { markdownEnumDescriptions: ['%a%', 'B'] } } }] },
])('the check sees a text in %j', (contributes) => {
  expect(fixedTexts(contributes, '')).toHaveLength(1);
});

/** What the core writes into the log while it works; the log is English, and `t` is given the same sentence. */
async function loggedSentences(): Promise<string[]> {
  const files = await readdir(join(ROOT, 'extension/core/loop'));
  const texts = await Promise.all(
    files.map((file) => readFile(join(ROOT, 'extension/core/loop', file), 'utf8')),
  );
  const statuses = texts.flatMap((text) => [...text.matchAll(/type: 'status',[^}]*message: '([^']+)'/g)]);
  return [...new Set(statuses.map(([, message = '']) => message))];
}

test.each([
  ['the panel', PANEL],
  ['the status bar', HOST],
])('%s has words for what the core says that it is doing', async (_, { literals }) => {
  const logged = await loggedSentences();
  expect(logged.length).toBeGreaterThan(1);
  expect(literals.map(({ text }) => text)).toEqual(expect.arrayContaining(logged));
});

/** How a currency is written. */
const CURRENCY = ['currency', 'USD', 'narrowSymbol'];

const isImport = ({ parent }: NodePath) => 'source' in parent;
const isType = (path: NodePath) => path.findParent(({ node }) => node.type.startsWith('TS')) !== null;
const places = (literals: readonly Literal[]) =>
  literals.map(({ file, line, text }) => `${file}:${line} ${text}`);

test('webview/strings.ts gives every word to `t`', async () => {
  const known = [...CURRENCY, ...(await loggedSentences())];
  const found = await untranslatedIn('webview/strings.ts', (path) => !isImport(path) && !isType(path));
  expect(places(found.filter(({ text }) => !known.includes(text)))).toEqual([]);
});

const spokenAttributes = /^(title|alt|label|placeholder|aria-(label|description|roledescription|valuetext))$/;

/** Between the tags of a view, or in an attribute that is shown or read out. */
function isInView(path: NodePath): boolean {
  if (path.isJSXText()) return true;
  const attribute = path.findParent((parent) => parent.isJSXAttribute() || parent.isJSXElement());
  return attribute?.isJSXAttribute() === true && spokenAttributes.test(attributeName(attribute));
}

function attributeName({ node }: NodePath): string {
  if (node.type !== 'JSXAttribute') return '';
  const { name } = node;
  return name.type === 'JSXNamespacedName' ? `${name.namespace.name}:${name.name.name}` : name.name;
}

test('no view holds a word of its own', async () => {
  expect(places(await untranslatedIn('webview', isInView))).toEqual([]);
});

const notices = /^(show(Information|Warning|Error)Message|setStatusBarMessage)$/;
const shownProperties = /^(title|placeHolder|placeholder|prompt|tooltip|openLabel|saveLabel)$/;

/** Told in a notice, or in a field of what VS Code draws for us. */
function isTold({ parent }: NodePath): boolean {
  if (parent.type === 'CallExpression') return notices.test(nameOf(parent.callee));
  if (parent.type === 'ObjectProperty') return shownProperties.test(nameOf(parent.key));
  return parent.type === 'AssignmentExpression' && shownProperties.test(nameOf(parent.left));
}

test('no notice, list or input of VS Code holds a word of its own', async () => {
  const found = await untranslatedIn('extension/vscode', isTold);
  // What is added to a prompt is for the model.
  const shown = found.filter(({ file }) => !file.startsWith('extension/vscode/mentions/'));
  expect(places(shown)).toEqual([]);
});
