// Each provider is code of its own: who uses one loads none of the others, and no SDK but its own.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PROVIDERS = 'extension/core/providers';

const entryOf = (folder: string) => `${PROVIDERS}/${folder}/${folder}-provider.ts`;
const folders = readdirSync(join(ROOT, PROVIDERS), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'wire')
  .map(({ name }) => name);

/** A server that speaks another provider's protocol is asked by that one's code. */
const SPEAKS_LIKE: Readonly<Record<string, readonly string[]>> = { lmstudio: ['openai'] };
/** Packages that only one provider uses: its SDK, and what that imports. */
const SDKS: Readonly<Record<string, readonly string[]>> = {
  anthropic: [
    '@anthropic-ai/sdk',
    '@opentelemetry/api',
    'standardwebhooks',
    '@stablelib/base64',
    'fast-sha256',
  ],
};
const SHARED_PACKAGES = ['zod', 'eventsource-parser'];

/** The files of the repository that a bundle of these sources holds. */
async function inputsOf(contents: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...{
      stdin: { contents, resolveDir: ROOT, loader: 'ts' },
      absWorkingDir: ROOT,
      write: false,
      metafile: true,
    },
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' },
  });
  return Object.keys(metafile.inputs);
}

function strangersIn(inputs: readonly string[], folder: string): readonly string[] {
  const own = [folder, 'wire', ...(SPEAKS_LIKE[folder] ?? [])];
  const packages = [...SHARED_PACKAGES, ...(SDKS[folder] ?? [])];
  return inputs.filter((input) => {
    const [, provider] = new RegExp(`^${PROVIDERS}/([^/]+)/`).exec(input) ?? [];
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(input) ?? [];
    return (
      (provider !== undefined && !own.includes(provider)) || (name !== undefined && !packages.includes(name))
    );
  });
}

test('every provider is found where it is looked for', () => {
  expect(folders).toContain('anthropic');
  expect(folders.filter((folder) => !existsSync(join(ROOT, entryOf(folder))))).toEqual([]);
});

describe.each(folders)('%s', (folder) => {
  test('its own bundle holds nothing of another', async () => {
    const inputs = await inputsOf(`export * from './${entryOf(folder)}';`);
    expect(inputs).toContain(entryOf(folder));
    expect(strangersIn(inputs, folder)).toEqual([]);
  });

  test('a harness with it, and with its mock, holds nothing of another', async () => {
    const mocks = `${PROVIDERS}/${folder}/mocks.ts`;
    const inputs = await inputsOf(`
      export { createHarness } from './extension/core/sdk/harness.ts';
      export { createMock } from './extension/core/sdk/mock.ts';
      export { withLogger } from './extension/core/trace/trace-provider.ts';
      export * from './${entryOf(folder)}';
      ${existsSync(join(ROOT, mocks)) ? `export * from './${mocks}';` : ''}`);
    expect(inputs).toContain('extension/core/loop/agent-loop.ts');
    expect(strangersIn(inputs, folder)).toEqual([]);
  });
});

test('a harness alone holds no provider', async () => {
  const inputs = await inputsOf(`export * from './extension/core/sdk/harness.ts';`);
  expect(strangersIn(inputs, 'none')).toEqual([]);
});

test('the check sees another provider and its SDK', async () => {
  const inputs = await inputsOf(`export * from './${entryOf('anthropic')}';`);
  expect(strangersIn(inputs, 'ollama').length).toBeGreaterThan(10);
});

describe('as it is shipped', () => {
  let dist: string;
  beforeAll(async () => {
    dist = await mkdtemp(join(tmpdir(), 'harness-providers-'));
    await run(process.execPath, ['esbuild.mjs', 'wire', ...(await lazyProviders()), `--into=${dist}`], {
      cwd: ROOT,
    });
  });
  afterAll(() => rm(dist, { recursive: true, force: true }));

  test('what is loaded on first use is a file of its own, and is packaged', async () => {
    const [bundles, ignore] = await Promise.all(
      ['esbuild.mjs', '.vscodeignore'].map((file) => readFile(join(ROOT, file), 'utf8')),
    );
    const lazy = await lazyProviders();
    expect(lazy).toContain('anthropic');
    const missing = [...lazy, 'wire'].filter(
      (name) => !existsSync(join(dist, `${name}.cjs`)) || !ignore?.includes(`!dist/${name}.cjs`),
    );
    expect(missing).toEqual([]);
    expect(lazy.filter((name) => !bundles?.includes(`['${entryOf(name)}', './${name}.cjs']`))).toEqual([]);
  });

  test('each is loaded with what all have in common that speak with a server, and with nothing else', async () => {
    for (const name of await lazyProviders()) {
      const wire = name === 'demo' ? [] : ['wire'];
      const loaded = [name, ...(SPEAKS_LIKE[name] ?? []), ...wire].map((output) => `${output}.cjs`);
      expect(await loadedBy(join(dist, `${name}.cjs`))).toEqual(loaded.sort());
    }
  });

  test('none holds a copy of what all have in common', async () => {
    for (const name of await lazyProviders()) {
      const { inputs } = JSON.parse(await readFile(join(dist, 'meta', `${name}.json`), 'utf8'));
      expect(Object.keys(inputs)).toContain(entryOf(name));
      expect(
        Object.keys(inputs).filter((input) => /providers\/http\/|eventsource-parser/.test(input)),
      ).toEqual([]);
    }
  });

  test('what all have in common gives each name of its files', async () => {
    const files = readdirSync(join(ROOT, PROVIDERS, 'wire')).map((file) =>
      join(ROOT, PROVIDERS, 'wire', file),
    );
    const modules = await Promise.all(
      [...files, join(ROOT, 'extension/core/ports/model.ts')].map((file) => import(file)),
    );
    const given = Object.keys(createRequire(import.meta.url)(join(dist, 'wire.cjs')));
    expect(given.sort()).toEqual(modules.flatMap((module) => Object.keys(module)).sort());
  });
});

async function lazyProviders(): Promise<readonly string[]> {
  const source = await readFile(join(ROOT, PROVIDERS, 'create-provider.ts'), 'utf8');
  return [...source.matchAll(/import\('\.\/([\w-]+)\/[\w-]+\.ts'\)/g)].map(([, folder]) => folder ?? '');
}

/** The outputs that are in memory when this one alone was asked for. */
async function loadedBy(output: string): Promise<readonly string[]> {
  const script = `require(${JSON.stringify(output)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  return (JSON.parse(stdout) as string[]).map((path) => basename(path)).sort();
}
