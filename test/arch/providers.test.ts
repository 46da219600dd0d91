// Each provider is code of its own: who uses one loads none of the others, and no SDK but its own.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/arch/imports.ts';
import { buildShipped, type Shipped } from '../support/arch/shipped.ts';

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
  let shipped: Shipped;
  beforeAll(async () => {
    shipped = await buildShipped('node');
  });

  test('each provider is loaded on first use, and with it nothing of another', () => {
    const missing = folders.filter((folder) => !shipped.late.includes(entryOf(folder)));
    expect(missing).toEqual([]);
    for (const folder of folders) {
      const loaded = shipped.loadedWith(entryOf(folder));
      expect(loaded).toContain(entryOf(folder));
      expect(strangersIn(loaded, folder)).toEqual([]);
    }
  });
});
