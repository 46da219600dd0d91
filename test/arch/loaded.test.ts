// Nothing is loaded before it is used, and all that is built is packed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../support/arch/imports.ts';
import { buildShipped, type Shipped } from '../support/arch/shipped.ts';

let node: Shipped;
let webview: Shipped;
beforeAll(async () => {
  [node, webview] = await Promise.all([buildShipped('node'), buildShipped('webview')]);
});

/** What is there only when it is used, by the sources of it. */
const LATE = {
  'a provider': /core\/providers\/(?!wire\/)[^/]+\//,
  'an SDK': /node_modules\/(@anthropic-ai|@opentelemetry|eventsource-parser)\//,
  recording: /core\/recording\/(record|ports|masking)\//,
  replay: /core\/recording\/(live\/|replay\/(?!pace|steered-pace|this-product))/,
  'models of VS Code': /language-models\/vscode-provider/,
  'export as a page': /core\/export\/(conversation-html|html\/)|node_modules\/markdown-it\//,
  'the whole of zod': /node_modules\/zod\/v4\/(classic\/|locales\/(?!en\.|index\.))/,
};

test('VS Code starts the extension with its registrations alone', () => {
  const loaded = node.loadedWith('extension/vscode/extension.ts');
  expect(loaded).toContain('extension/vscode/language-models/register-models.ts');
  expect(loaded.filter((source) => !source.startsWith('extension/vscode/'))).toEqual([]);
  expect(loaded).not.toContain('extension/vscode/host.ts');
});

test('the command line loads nothing before it knows its Node, and its version alone where that is asked', () => {
  expect(node.loadedWith('extension/headless/cli.ts')).toEqual(['extension/headless/cli.ts']);
  expect(node.loadedWith('extension/headless/product.ts').filter((source) => source.includes('zod'))).toEqual(
    [],
  );
});

test.each([
  'extension/vscode/host.ts',
  'extension/headless/main.ts',
  'extension/headless/exec.ts',
  'extension/headless/tool.ts',
  'extension/headless/models.ts',
  'extension/headless/sessions-main.ts',
])('%s is loaded without what it may never need', (entry) => {
  const loaded = node.loadedWith(entry);
  expect(loaded).toContain(entry);
  for (const [what, sources] of Object.entries(LATE))
    expect({ what, found: loaded.filter((source) => sources.test(source)) }).toEqual({ what, found: [] });
});

test('what may never be needed is loaded with `import()`, so that the rule above is about what there is', () => {
  const late = node.late.flatMap((source) => node.loadedWith(source));
  const unused = Object.entries(LATE).filter(([, sources]) => !late.some((source) => sources.test(source)));
  expect(unused.map(([what]) => what)).toEqual(['the whole of zod']);
});

test('the page is drawn before it can read Markdown or colour code', () => {
  const loaded = webview.loadedWith('webview/main.tsx');
  expect(loaded.filter((source) => /markdown-it|highlight\.js/.test(source))).toEqual([]);
  expect(webview.late.toSorted()).toEqual(['webview/markdown/languages.ts', 'webview/markdown/parser.ts']);
});

test('what is built for the extension is in its package', async () => {
  const lines = (await readFile(join(ROOT, '.vscodeignore'), 'utf8')).split('\n');
  const isPacked = (file: string) =>
    lines.includes(`!dist/${file}`) || lines.includes(`!dist/${file.split('/')[0]}/**`);
  expect(node.files.filter((file) => !isPacked(file))).toEqual(['cli.js']);
  expect(
    ['extension.cjs', ...webview.files.map((file) => `webview/${file}`)].filter((file) => !isPacked(file)),
  ).toEqual([]);
});
