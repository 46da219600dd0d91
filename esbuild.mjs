// Builds dist/. `node esbuild.mjs [NAME…] [--dev] [--watch]`; without names: everything.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { transformAsync } from '@babel/core';
import typescript from '@babel/preset-typescript';
import solid from 'babel-preset-solid';
import { build, context } from 'esbuild';

const root = import.meta.dirname;
const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const dev = flags.has('--dev') || flags.has('--watch');

/** Modules that are only loaded on first use: an import of one, from another output, becomes a load of its own. */
const lazyOutputs = new Map([
  ['extension/vscode/host.ts', './host.cjs'],
  ['extension/core/providers/anthropic/anthropic-provider.ts', './anthropic.cjs'],
  ['extension/core/providers/codex/codex-provider.ts', './codex.cjs'],
  ['extension/core/providers/openai/openai-provider.ts', './openai.cjs'],
  ['extension/core/providers/lmstudio/lmstudio-provider.ts', './lmstudio.cjs'],
  ['extension/vscode/language-models/vscode-provider.ts', './vscode-models.cjs'],
  ['extension/core/providers/ollama/ollama-provider.ts', './ollama.cjs'],
  ['webview/markdown/parser.ts', './parser.js'],
  ['webview/markdown/languages.ts', './languages.js'],
]);

const solidJsx = {
  name: 'solid-jsx',
  setup(build) {
    build.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
      const presets = [
        [solid, { generate: 'dom', hydratable: false }],
        [typescript, {}],
      ];
      const options = { filename: path, presets, babelrc: false, configFile: false, sourceMaps: 'inline' };
      const { code } = await transformAsync(await readFile(path, 'utf8'), options);
      return { contents: code, loader: 'js' };
    });
  },
};

const lazyImports = {
  name: 'lazy-imports',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const output = lazyOutputs.get(relative(root, resolve(resolveDir, path)).replaceAll('\\', '/'));
      return kind !== 'entry-point' && output ? { path: output, external: true } : undefined;
    });
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'info',
};
const node = { ...common, platform: 'node', plugins: [lazyImports] };
// `import()` becomes `require()`: VS Code hands out its `vscode` module through require only.
const hosted = {
  ...node,
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  supported: { 'dynamic-import': false },
};

const outputs = {
  webview: {
    ...common,
    entryPoints: {
      main: 'webview/main.tsx',
      app: 'webview/app.css',
      parser: 'webview/markdown/parser.ts',
      languages: 'webview/markdown/languages.ts',
    },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    conditions: [dev ? 'development' : 'production'],
    alias: {
      entities: './webview/markdown/decode-entities.ts',
      // The form of which only what is used is bundled.
      tslib: './node_modules/tslib/tslib.es6.mjs',
    },
    plugins: [solidJsx, lazyImports],
  },
  extension: { ...hosted, entryPoints: ['extension/vscode/extension.ts'], outfile: 'dist/extension.cjs' },
  host: { ...hosted, entryPoints: ['extension/vscode/host.ts'], outfile: 'dist/host.cjs' },
  anthropic: {
    ...hosted,
    target: 'node20',
    entryPoints: ['extension/core/providers/anthropic/anthropic-provider.ts'],
    outfile: 'dist/anthropic.cjs',
  },
  codex: {
    ...hosted,
    target: 'node20',
    entryPoints: ['extension/core/providers/codex/codex-provider.ts'],
    outfile: 'dist/codex.cjs',
  },
  openai: {
    ...hosted,
    entryPoints: ['extension/core/providers/openai/openai-provider.ts'],
    outfile: 'dist/openai.cjs',
  },
  lmstudio: {
    ...hosted,
    entryPoints: ['extension/core/providers/lmstudio/lmstudio-provider.ts'],
    outfile: 'dist/lmstudio.cjs',
  },
  ollama: {
    ...hosted,
    target: 'node20',
    entryPoints: ['extension/core/providers/ollama/ollama-provider.ts'],
    outfile: 'dist/ollama.cjs',
  },
  vscodeModels: {
    ...hosted,
    entryPoints: ['extension/vscode/language-models/vscode-provider.ts'],
    outfile: 'dist/vscode-models.cjs',
  },
  cli: {
    ...node,
    entryPoints: ['extension/headless/main.ts'],
    outfile: 'dist/cli.js',
    format: 'esm',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
  },
};

async function buildOne(name) {
  const { metafile } = await build(outputs[name]);
  await mkdir(`${root}/out/meta`, { recursive: true });
  await writeFile(`${root}/out/meta/${name}.json`, JSON.stringify(metafile));
}

const chosen = names.length > 0 ? names : Object.keys(outputs);
const unknown = chosen.filter((name) => !Object.hasOwn(outputs, name));
if (unknown.length > 0) {
  console.error(`Unknown output: ${unknown.join(', ')}. Known: ${Object.keys(outputs).join(', ')}.`);
  process.exit(2);
}

if (flags.has('--watch')) {
  for (const name of chosen) await (await context(outputs[name])).watch();
} else {
  await Promise.all(chosen.map(buildOne));
}
