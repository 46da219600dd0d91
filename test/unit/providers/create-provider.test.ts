import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import type { ProviderEntry } from '../../../extension/core/providers/catalog.ts';
import { createProvider, environmentUrl } from '../../../extension/core/providers/create-provider.ts';
import { Router } from '../../../extension/core/providers/router.ts';
import { plain, startWireServer } from '../../../scripts/lib/wire/wire-server.ts';
import { collect } from '../../support/wire/neutral.ts';

const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
const TURN = { model: 'm', system: '', messages, tools: [], maxTokens: 100 };

/** Whether a provider at this address uses the fetch for local servers. */
async function usesIt(entry: ProviderEntry, baseUrl: string): Promise<boolean> {
  let used = false;
  const spy: typeof fetch = async () => {
    used = true;
    return new Response('no', { status: 500 });
  };
  const options = { apiKey: 'sk-of-a-test', baseUrl, clock: new ManualClock(), fetch: spy };
  const provider = await createProvider(entry, options);
  await collect(provider.streamTurn(TURN, new AbortController().signal));
  return used;
}

test.each([
  ['ollama', true],
  ['lmstudio', true],
  ['openai', true],
  ['anthropic', false],
])('%s at an address of this machine waits as for a local server: %s', async (name, waits) => {
  const server = await startWireServer(() => plain(500, 'no'), console.error);
  onTestFinished(() => server.close());
  const entry = new Router().find(name);
  if (!entry) throw new Error(`There is no provider ${name}.`);
  expect(await usesIt(entry, server.url)).toBe(waits);
});

test('a password in the address of the user’s own endpoint is told nowhere', async () => {
  const baseUrl = 'https://me:hunter22@box.example/v1';
  const [entry] = new Router({ endpoints: [{ name: 'box', baseUrl, keyless: true }] }).providers;
  const provider = await createProvider(entry as ProviderEntry, {
    ...{ apiKey: '', baseUrl: '', clock: new ManualClock() },
  });
  const events = JSON.stringify(await collect(provider.streamTurn(TURN, new AbortController().signal)));
  expect(events).toContain('Enter one like http://127.0.0.1:8000/v1, without user name and password');
  expect(events).not.toContain('hunter22');
});

test('the models of VS Code are there in the editor alone', async () => {
  const entry = new Router().find('vscode');
  const options = { apiKey: '', baseUrl: '', clock: new ManualClock() };
  await expect(createProvider(entry as ProviderEntry, options)).rejects.toThrow('only in VS Code');
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  [':8080', 'http://127.0.0.1:8080'],
  ['box.local:80', 'http://box.local:80'],
  ['[::]:11434', 'http://[::1]:11434'],
  ['[::1]', 'http://[::1]:11434'],
  [' http://box:1/ollama ', 'http://box:1/ollama'],
  ['no address', 'no address'],
  ['', ''],
])('OLLAMA_HOST=%s is the server at “%s”', (value, url) => {
  const entry = new Router().find('ollama') as ProviderEntry;
  expect(environmentUrl(entry, { OLLAMA_HOST: value })).toBe(url);
});
