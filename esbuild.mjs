// Builds dist/. `node esbuild.mjs [NAME…] [--dev] [--watch] [--into=FOLDER]`; without names: everything. Another folder
// than dist/ gets esbuild's account of the outputs too (`meta/`), which is in out/ otherwise.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { transformAsync } from '@babel/core';
import typescript from '@babel/preset-typescript';
import solid from 'babel-preset-solid';
import { build, context } from 'esbuild';
import { minify } from 'terser';

const root = import.meta.dirname;
const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const dev = flags.has('--dev') || flags.has('--watch');
const elsewhere = [...flags].find((flag) => flag.startsWith('--into='))?.slice('--into='.length);
const dist = elsewhere ?? 'dist';

/** Modules that are only loaded on first use: an import of one, from another output, becomes a load of its own. */
const lazyOutputs = new Map([
  ['extension/vscode/host.ts', './host.cjs'],
  ['extension/core/providers/anthropic/anthropic-provider.ts', './anthropic.cjs'],
  ['extension/core/providers/codex/codex-provider.ts', './codex.cjs'],
  ['extension/core/providers/openai/openai-provider.ts', './openai.cjs'],
  ['extension/core/providers/lmstudio/lmstudio-provider.ts', './lmstudio.cjs'],
  ['extension/vscode/language-models/vscode-provider.ts', './vscode-models.cjs'],
  ['extension/core/providers/ollama/ollama-provider.ts', './ollama.cjs'],
  ['extension/core/providers/demo/demo-provider.ts', './demo.cjs'],
  ['extension/core/recording/record/record-session.ts', './recording.cjs'],
  ['extension/core/recording/replay/replay-session.ts', './recording.cjs'],
  ['extension/core/export/conversation-html.ts', './export-html.js'],
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

const schemaMaker = 'extension/core/tools/common/json-schema.ts';

/** The JSON Schemas of the tools' inputs, made once here by running what the product would have to bring along to make them. */
async function madeSchemas() {
  const { outputFiles } = await build({
    ...common,
    metafile: false,
    logLevel: 'error',
    sourcemap: false,
    platform: 'node',
    format: 'esm',
    write: false,
    stdin: {
      contents: `import './extension/core/tools/all-tools.ts'; export { made } from './${schemaMaker}';`,
      resolveDir: root,
    },
  });
  const { made } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  return JSON.stringify(Object.fromEntries(made));
}

const inputSchemas = {
  name: 'input-schemas',
  setup(build) {
    build.onLoad({ filter: /json-schema\.ts$/ }, async ({ path }) => {
      if (relative(root, path).replaceAll('\\', '/') !== schemaMaker) return undefined;
      const contents = `const schemas = ${await madeSchemas()}; export const toJsonSchema = (name) => schemas[name];`;
      return { contents, loader: 'js' };
    });
  },
};

/** What the providers have in common: an output of its own beside theirs, since each would bundle a copy. */
const wire = {
  folder: 'extension/core/providers/wire',
  // Errors are known by their class, so that is the same on both sides.
  also: ['extension/core/ports/model.ts'],
};

const wireImports = {
  name: 'wire-imports',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = relative(root, resolve(resolveDir, path)).replaceAll('\\', '/');
      const isWire = file.startsWith(`${wire.folder}/`) || wire.also.includes(file);
      return kind !== 'entry-point' && isWire ? { path: './wire.cjs', external: true } : undefined;
    });
  },
};

/** What Anthropic's SDK has and is not in use of it, and what takes its place. */
const unused = {
  name: 'unused-of-sdk',
  setup(build) {
    const own = (file) => ({ path: `${root}/extension/core/providers/anthropic/${file}` });
    const isSdk = ({ resolveDir }) => resolveDir.includes('@anthropic-ai');
    build.onResolve({ filter: /\/tracing\.mjs$|^@opentelemetry\/api$/ }, (found) =>
      isSdk(found) ? own('sdk-stubs/telemetry.ts') : undefined,
    );
    build.onResolve({ filter: /\/(credential-chain|token-cache)\.mjs$/ }, (found) =>
      isSdk(found) ? own('sdk-stubs/credentials.ts') : undefined,
    );
    build.onResolve({ filter: /\/(error-classes|query)\.mjs$/ }, (found) =>
      isSdk(found) ? own('sdk-stubs/sdk-internals.ts') : undefined,
    );
  },
};

/** The names of all files together. One that stood in two of them would be in none (test/arch/providers.test.ts). */
async function wireExports() {
  const files = (await readdir(`${root}/${wire.folder}`)).map((file) => `${wire.folder}/${file}`);
  return [...files, ...wire.also].map((file) => `export * from './${file}';`).join('\n');
}

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'info',
};
const node = { ...common, platform: 'node', plugins: [lazyImports, inputSchemas] };
// `import()` becomes `require()`: VS Code hands out its `vscode` module through require only.
const hosted = {
  ...node,
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  supported: { 'dynamic-import': false },
};

/** Run by the host, and by the command line on an older Node than an editor has. */
function provider(entry, plugins = []) {
  const outfile = `${dist}/${basename(lazyOutputs.get(entry))}`;
  return {
    ...hosted,
    target: 'node20',
    plugins: [wireImports, lazyImports, ...plugins],
    entryPoints: [entry],
    outfile,
  };
}

/** To record and to play back is one output: most of it is the same. */
const both = {
  contents: ['record/record-session', 'replay/replay-session']
    .map((file) => `export * from './extension/core/recording/${file}.ts';`)
    .join('\n'),
  resolveDir: root,
  sourcefile: 'recording.ts',
  loader: 'ts',
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
    outdir: `${dist}/webview`,
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
  extension: { ...hosted, entryPoints: ['extension/vscode/extension.ts'], outfile: `${dist}/extension.cjs` },
  host: { ...hosted, entryPoints: ['extension/vscode/host.ts'], outfile: `${dist}/host.cjs` },
  wire: {
    ...hosted,
    target: 'node20',
    stdin: { contents: await wireExports(), resolveDir: root, sourcefile: 'wire.ts', loader: 'ts' },
    outfile: `${dist}/wire.cjs`,
  },
  anthropic: provider('extension/core/providers/anthropic/anthropic-provider.ts', [unused]),
  codex: provider('extension/core/providers/codex/codex-provider.ts'),
  openai: provider('extension/core/providers/openai/openai-provider.ts'),
  lmstudio: provider('extension/core/providers/lmstudio/lmstudio-provider.ts'),
  ollama: provider('extension/core/providers/ollama/ollama-provider.ts'),
  demo: provider('extension/core/providers/demo/demo-provider.ts'),
  recording: { ...hosted, target: 'node20', plugins: [], stdin: both, outfile: `${dist}/recording.cjs` },
  vscodeModels: provider('extension/vscode/language-models/vscode-provider.ts'),
  cli: {
    ...node,
    entryPoints: ['extension/headless/main.ts'],
    outfile: `${dist}/cli.js`,
    format: 'esm',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
  },
  // What the editor runs beside itself.
  sessions: {
    ...node,
    entryPoints: ['extension/headless/sessions-main.ts'],
    outfile: `${dist}/sessions.js`,
    format: 'esm',
    target: 'node20',
  },
  // Loaded by the two above.
  exportHtml: {
    ...node,
    entryPoints: ['extension/core/export/conversation-html.ts'],
    outfile: `${dist}/export-html.js`,
    format: 'esm',
    target: 'node20',
  },
};

/** What esbuild leaves, 1.5 % of it, is worth the seconds only where the size is that of what is loaded. */
async function minifyLoaded(file) {
  const text = await readFile(file, 'utf8');
  const compress = { passes: 2, hoist_funs: true };
  const { code } = await minify(text, { ecma: 2022, module: file.endsWith('.js'), toplevel: true, compress });
  const [names = ''] = NAMES_FOR_ESM.exec(text) ?? [];
  await writeFile(file, code + names);
}

/** By it whoever imports a CommonJS file as a module knows what that exports. It is never run, so it looks like dead code. */
const NAMES_FOR_ESM = /0&&\(module\.exports=\{[^}]*\}\);\s*$/;

const isLoaded = (file) => file.endsWith('.cjs') || /webview\/.*\.js$/.test(file);

async function buildOne(name) {
  const { metafile } = await build(outputs[name]);
  if (!dev)
    await Promise.all(
      Object.keys(metafile.outputs)
        .filter(isLoaded)
        .map((file) => minifyLoaded(resolve(root, file))),
    );
  const meta = resolve(root, elsewhere ?? 'out', 'meta');
  await mkdir(meta, { recursive: true });
  await writeFile(`${meta}/${name}.json`, JSON.stringify(metafile));
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
