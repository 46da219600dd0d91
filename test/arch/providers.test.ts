// Each provider is code of its own: who uses one loads none of the others, and no SDK but its own.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PROVIDERS = 'extension/core/providers';

const entryOf = (folder: string) => `${PROVIDERS}/${folder}/${folder}-provider.ts`;
const folders = readdirSync(join(ROOT, PROVIDERS), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'http')
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
  const own = [folder, 'http', ...(SPEAKS_LIKE[folder] ?? [])];
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
      export { createHarness } from './extension/core/harness/harness.ts';
      export { createMock } from './extension/core/harness/mock.ts';
      export { withLogger } from './extension/core/harness/logger.ts';
      export * from './${entryOf(folder)}';
      ${existsSync(join(ROOT, mocks)) ? `export * from './${mocks}';` : ''}`);
    expect(inputs).toContain('extension/core/loop/run-prompt.ts');
    expect(strangersIn(inputs, folder)).toEqual([]);
  });
});

test('a harness alone holds no provider', async () => {
  const inputs = await inputsOf(`export * from './extension/core/harness/harness.ts';`);
  expect(strangersIn(inputs, 'none')).toEqual([]);
});

test('the check sees another provider and its SDK', async () => {
  const inputs = await inputsOf(`export * from './${entryOf('anthropic')}';`);
  expect(strangersIn(inputs, 'ollama').length).toBeGreaterThan(10);
});

test('what is loaded on first use is a file of its own, and is packaged', async () => {
  const [source, bundles, ignore] = await Promise.all(
    [`${PROVIDERS}/create-provider.ts`, 'esbuild.mjs', '.vscodeignore'].map((file) =>
      readFile(join(ROOT, file), 'utf8'),
    ),
  );
  const lazy = [...(source ?? '').matchAll(/import\('\.\/([\w-]+)\/[\w-]+\.ts'\)/g)].map(
    ([, folder]) => folder ?? '',
  );
  expect(lazy).toContain('anthropic');
  const missing = lazy.filter(
    (folder) =>
      !bundles?.includes(`['${entryOf(folder)}', './${folder}.cjs']`) ||
      !bundles.includes(`outfile: 'dist/${folder}.cjs'`) ||
      !ignore?.includes(`!dist/${folder}.cjs`),
  );
  expect(missing).toEqual([]);
});
