// Every word that somebody sees can be translated, and the languages that there are have all of them.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NodePath } from '@babel/core';
import { expect, test } from 'vitest';
import { SAID } from '../../extension/vscode/base/localizer.ts';
import { readJson } from '../support/manifest.ts';
import { type Literal, nameOf, saidIn, sentencesIn, untranslatedIn } from '../support/sentences.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PANEL = await sentencesIn('webview');
const HOST = await sentencesIn('extension/vscode');
const SPOKEN = await saidIn('extension');
const templates = [...new Set(SPOKEN.literals.map(({ text }) => text))];
const sentences = [
  ...[...PANEL.literals, ...HOST.literals].map(({ text }) => text),
  ...templates.map((template) => `${template}${SAID}`),
];

/** What earlier versions said into logs: a bundle still has it, so that old sessions stay translated. */
const EARLIER = (await readJson('test/fixtures/earlier-sentences.json')) as unknown as readonly string[];
const earlier = EARLIER.map((template) => `${template}${SAID}`);

const bundles = await Promise.all(
  (await readdir(join(ROOT, 'l10n'))).map((name) => readTexts(`l10n/${name}`)),
);
const manifests = await Promise.all(
  (await readdir(ROOT)).filter((name) => name.startsWith('package.nls.')).map(readTexts),
);

const isImport = ({ parent }: NodePath) => 'source' in parent;
const linesOf = (literals: readonly Literal[]) =>
  literals.map(({ file, line, text }) => `${file}:${line} ${text}`);

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
  expect(templates.length).toBeGreaterThan(100);
});

test('every sentence is a literal, so that it can be found', () => {
  expect([...PANEL.others, ...HOST.others, ...SPOKEN.others]).toEqual([]);
});

test.each(bundles)(
  '$file has every sentence of panel, notices, core and old logs, and no other',
  ({ texts }) => {
    expect(Object.keys(texts).sort()).toEqual([...new Set([...sentences, ...earlier])].sort());
  },
);

test('what only old logs say is said nowhere now', () => {
  expect(EARLIER.filter((template) => templates.includes(template))).toEqual([]);
});

test.each(bundles)('$file says something everywhere, with the same placeholders', ({ texts }) => {
  const placeholders = (text: string) => (text.match(/\{\d+\.?\}/g) ?? []).sort();
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

const places = /\{\d+\.?\}/g;
const beginningOf = (template: string) => template.split(places, 1)[0] ?? '';
const isOpen = (template: string) => template.search(places) >= 0;

test('what is said has a value for each of its places, and each place once', () => {
  const wrong = SPOKEN.literals.filter(({ text }, index) => {
    const used = (text.match(places) ?? []).map((place) => Number.parseInt(place.slice(1), 10)).sort();
    return used.length !== SPOKEN.values[index] || used.some((value, place) => value !== place);
  });
  expect(linesOf(wrong)).toEqual([]);
});

test('what is said can be known again: by a word, and with something between two values', () => {
  expect(templates.filter((template) => !/\p{L}{3}/u.test(template.replace(places, '')))).toEqual([]);
  expect(templates.filter((template) => /\}\{/.test(template))).toEqual([]);
});

test('no path can make another question of the one that is asked', async () => {
  const asked = (await saidIn('extension/core/permission')).literals.map(({ text }) => text).filter(isOpen);
  expect(asked.length).toBeGreaterThan(5);
  for (const question of asked) {
    const beginning = beginningOf(question);
    const alike = templates.filter(
      (other) => other !== question && isOpen(other) && beginningOf(other).startsWith(beginning),
    );
    expect(alike, question).toEqual([]);
  }
});

/** Of our sources, those whose sentences the model reads, or who tests. */
const FOR_MODEL =
  /core\/(tools|context|rendering|providers\/demo)\/|core\/(ports\/testing\/scripted-model|log\/conversation-text|view\/describe-context|checkpoints\/restore\/fork-notice)|vscode\/mentions\/|node\/processes\/shell-program/;

/** And single ones. */
const INSTRUCTIONS =
  /^(You are given a conversation|The conversation so far was taken out|.* could not be read; the file is kept as)/;

/** Said to the log channel or to the model. */
function isForOthers(path: NodePath): boolean {
  return (
    path.findParent(({ node }) => {
      if (node.type === 'CallExpression') return /^(warn|error)$/.test(nameOf(node.callee));
      if (node.type === 'NewExpression') return /^(Tool|Workspace|Pattern)Error$/.test(nameOf(node.callee));
      if (node.type === 'ObjectProperty') return nameOf(node.key) === 'toModel';
      return node.type === 'VariableDeclarator' && nameOf(node.id) === 'toModel';
    }) !== null
  );
}

const sentence = /^(\p{Lu}|…).*\p{L}{2}.*\s.*\p{L}{2}.*[.?…]$/su;

test.each(['extension/core', 'extension/app', 'extension/node', 'extension/vscode'])(
  '%s gives every sentence for a person to `say`',
  async (folder) => {
    const found = await untranslatedIn(folder, (path) => !isForOthers(path));
    const unsaid = found.filter(
      ({ file, text }) => sentence.test(text) && !FOR_MODEL.test(file) && !INSTRUCTIONS.test(text),
    );
    expect(linesOf(unsaid)).toEqual([]);
  },
);

test.each(['describe-action', 'scope', 'evaluate'])(
  'the gate gives what it shows to `say`: %s.ts',
  async (name) => {
    const found = await untranslatedIn(`extension/core/permission/${name}.ts`, (path) => !isImport(path));
    expect(linesOf(found.filter(({ text }) => /\p{L}+ .*\p{L}/u.test(text)))).toEqual([]);
  },
);

const isMessage = ({ parent }: NodePath) =>
  parent.type === 'ObjectProperty' && nameOf(parent.key) === 'message';

test.each(['extension/core', 'extension/app', 'extension/node'])(
  'the messages of %s are said',
  async (folder) => {
    expect(linesOf(await untranslatedIn(folder, isMessage))).toEqual([]);
  },
);

/** How a currency is written. */
const CURRENCY = ['currency', 'USD', 'narrowSymbol'];

const isType = (path: NodePath) => path.findParent(({ node }) => node.type.startsWith('TS')) !== null;
test('why something failed goes through `errorMessage` before it is shown', async () => {
  const folder = join(ROOT, 'extension/vscode');
  const raw: string[] = [];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    if (/error instanceof Error \? error\.message/.test(text)) raw.push(file);
  }
  // Itself; for the model.
  expect(raw.sort()).toEqual(['base/localize.ts', 'mentions/mention-context.ts']);
});

test('webview/l10n/strings.ts gives every word to `t`', async () => {
  const found = await untranslatedIn('webview/l10n/strings.ts', (path) => !isImport(path) && !isType(path));
  expect(linesOf(found.filter(({ text }) => !CURRENCY.includes(text)))).toEqual([]);
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
  expect(linesOf(await untranslatedIn('webview', isInView))).toEqual([]);
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
  expect(linesOf(shown)).toEqual([]);
});
