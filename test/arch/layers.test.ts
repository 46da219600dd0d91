// The rule of imports, as data. It holds whatever the linter says, and an escape from the linter or the compiler in
// these folders fails it too.
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edgesIn, importsOf, ROOT, sourcesIn, targetOf, textOf } from '../support/arch/imports.ts';

interface Layer {
  readonly folders: readonly string[];
  readonly builtins: readonly string[] | 'all';
  readonly packages: readonly string[];
  /** Packages that only one folder of the layer may know. */
  readonly only?: Readonly<Record<string, string>>;
}

const LAYERS: Readonly<Record<string, Layer>> = {
  'extension/protocol': { folders: [], builtins: [], packages: ['zod'] },
  'extension/core': {
    folders: ['extension/protocol'],
    builtins: ['path', 'crypto'],
    packages: ['zod', 'diff'],
    only: {
      '@anthropic-ai/sdk': 'extension/core/providers/anthropic',
      'eventsource-parser': 'extension/core/providers/wire',
      'markdown-it': 'extension/core/export/html',
    },
  },
  'extension/app': {
    folders: ['extension/protocol', 'extension/core'],
    builtins: ['crypto'],
    packages: [],
  },
  'extension/node': {
    folders: ['extension/protocol', 'extension/core'],
    builtins: 'all',
    packages: ['zod', 'ignore'],
  },
  'extension/headless': {
    folders: ['extension/protocol', 'extension/core', 'extension/app', 'extension/node', 'package.json'],
    builtins: 'all',
    packages: ['zod'],
  },
  'extension/vscode': {
    folders: ['extension/protocol', 'extension/core', 'extension/app', 'extension/node', 'package.json'],
    builtins: 'all',
    packages: ['zod', 'vscode', 'diff'],
  },
  webview: {
    folders: ['extension/protocol'],
    builtins: [],
    packages: ['solid-js', 'markdown-it', 'highlight.js', 'zod'],
    only: { '@vscode/webview-ui-toolkit': 'webview/ui' },
  },
};

const ESCAPE =
  /@ts-ignore|@ts-nocheck|@ts-expect-error|biome-ignore[^\n]*(?:noRestrictedImports|noImportCycles|noExplicitAny)/;

/** What is wrong with an import, or undefined. */
function offence(layerName: string, layer: Layer, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = targetOf(file, specifier);
    const inside = [layerName, ...layer.folders].some(
      (folder) => target === folder || target.startsWith(`${folder}/`),
    );
    return inside ? undefined : `${file} -> ${specifier}`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const builtin = specifier.replace(/^node:/, '');
  if (specifier.startsWith('node:') || builtinModules.includes(builtin)) {
    return layer.builtins === 'all' || layer.builtins.includes(builtin)
      ? undefined
      : `${file} -> ${specifier}`;
  }
  const home = layer.only?.[name];
  if (home) return file.startsWith(`${home}/`) ? undefined : `${file} -> ${specifier}`;
  return layer.packages.includes(name) ? undefined : `${file} -> ${specifier}`;
}

test.each(Object.entries(LAYERS))('%s imports what it may and nothing else', (name, layer) => {
  const files = sourcesIn(name);
  expect(files.length).toBeGreaterThan(0);
  const offences: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    for (const { specifier } of importsOf(file, text)) {
      const found = offence(name, layer, file, specifier);
      if (found) offences.push(found);
    }
    if (ESCAPE.test(text)) offences.push(`${file}: escapes from the checker`);
  }
  expect(offences).toEqual([]);
});

test('the extension loads its Markdown parser only when a page is exported', () => {
  const page = 'extension/core/export/conversation-html.ts';
  const isOfPage = (file: string) => file === page || file.startsWith('extension/core/export/html/');
  const readers = edgesIn(['extension']).filter(({ from, to }) => isOfPage(to) && !isOfPage(from));
  expect(readers).toEqual([{ from: 'extension/node/transfer/readable-export.ts', to: page, lazy: true }]);
});

test('the core knows no process, no timer and no clock', () => {
  const offences: string[] = [];
  for (const file of sourcesIn('extension/core')) {
    const text = textOf(file);
    if (
      /\bprocess\.|\bsetTimeout\(|\bsetInterval\(|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\./.test(
        text,
      )
    ) {
      offences.push(file);
    }
  }
  expect(offences).toEqual([]);
});

test.each([
  ['extension/core', 'extension/core/loop/x.ts', 'vscode'],
  ['extension/core', 'extension/core/loop/x.ts', 'node:fs'],
  ['extension/core', 'extension/core/loop/x.ts', '../../node/places.ts'],
  ['extension/core', 'extension/core/loop/x.ts', '@anthropic-ai/sdk/client'],
  ['extension/core', 'extension/core/view/x.ts', 'markdown-it'],
  ['extension/app', 'extension/app/sessions/x.ts', 'vscode'],
  ['extension/app', 'extension/app/sessions/x.ts', '../../node/system-clock.ts'],
  ['extension/protocol', 'extension/protocol/x.ts', '../core/loop/run.ts'],
  ['webview', 'webview/x.ts', '../extension/core/loop/run.ts'],
  ['webview', 'webview/views/x.tsx', '@vscode/webview-ui-toolkit'],
  ['webview', 'webview/x.ts', 'fs'],
])('the check sees an offence: %s: %s -> %s', (layer, file, specifier) => {
  expect(offence(layer, LAYERS[layer] as Layer, file, specifier)).toBeDefined();
});

test('nothing of the product imports a test, and no manifest asks for proposed API', async () => {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest.enabledApiProposals).toBeUndefined();
  // VS Code knows all others from what is contributed.
  expect(manifest.activationEvents).toEqual(['onWebviewPanel:harness.chat.editor']);
});
