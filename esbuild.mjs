// Builds dist/. `node esbuild.mjs [NAME…] [--dev] [--watch] [--into=FOLDER]`; without names: everything. esbuild's account
// of the outputs goes to out/meta, or to FOLDER/meta.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transformAsync } from '@babel/core';
import typescript from '@babel/preset-typescript';
import solid from 'babel-preset-solid';
import { build, context } from 'esbuild';
import { dropIdleImports, removeOldChunks } from './scripts/lib/chunks.mjs';

const root = import.meta.dirname;
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const dev = flags.includes('--dev') || flags.includes('--watch');
const into = flags.find((flag) => flag.startsWith('--into='))?.slice('--into='.length);
const dist = resolve(root, into ?? 'dist');

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

const common = {
  absWorkingDir: root,
  bundle: true,
  // What the sources load with `import()` becomes a file of its own, and so does what several files share.
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'info',
};

const outputs = {
  node: {
    ...common,
    entryPoints: {
      extension: 'extension/vscode/extension.ts',
      cli: 'extension/headless/cli.ts',
      // What the editor runs beside itself.
      sessions: 'extension/headless/sessions-main.ts',
    },
    outdir: dist,
    platform: 'node',
    target: 'node22.13',
    external: ['vscode'],
  },
  webview: {
    ...common,
    entryPoints: { main: 'webview/main.tsx', app: 'webview/app.css' },
    outdir: join(dist, 'webview'),
    platform: 'browser',
    target: 'es2022',
    conditions: ['module', dev ? 'development' : 'production'],
    plugins: [solidJsx],
  },
};

async function buildOne(name) {
  const { metafile } = await build(outputs[name]);
  if (!dev) await dropIdleImports(root, metafile);
  const written = Object.keys(metafile.outputs).map((file) => resolve(root, file));
  await removeOldChunks(join(outputs[name].outdir, 'chunks'), written);
  const meta = resolve(root, into ?? 'out', 'meta');
  await mkdir(meta, { recursive: true });
  await writeFile(join(meta, `${name}.json`), JSON.stringify(metafile));
}

const chosen = names.length > 0 ? names : Object.keys(outputs);
const unknown = chosen.filter((name) => !Object.hasOwn(outputs, name));
if (unknown.length > 0) {
  console.error(`Unknown output: ${unknown.join(', ')}. Known: ${Object.keys(outputs).join(', ')}.`);
  process.exit(2);
}

await mkdir(dist, { recursive: true });
await copyFile(join(root, 'extension/vscode/extension.cjs'), join(dist, 'extension.cjs'));
if (flags.includes('--watch')) {
  for (const name of chosen) await (await context(outputs[name])).watch();
} else {
  await Promise.all(chosen.map(buildOne));
}
