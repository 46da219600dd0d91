// A run that goes on with the fallback speaks with it from then on as its own agent would: its prompt, its tools, its format.
import { expect, onTestFinished, test } from 'vitest';
import { systemPrompt } from '../../extension/core/context/system-prompt.ts';
import { createConfig } from '../../extension/core/loop/config.ts';
import { type RunSettings, toRunSettings } from '../../extension/core/loop/run-settings.ts';
import { createProvider } from '../../extension/core/providers/create-provider.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { type Exchange, plain, playBytes } from '../../scripts/lib/wire/wire-server.ts';
import { expectWellFormed, scenario } from '../support/scenario.ts';
import { findFixture, loadFixtures } from '../support/wire/fixtures.ts';

interface Block {
  readonly type: string;
  readonly name?: string;
}

interface Body {
  readonly system?: readonly { text: string }[];
  readonly instructions?: string;
  readonly tools: readonly (Block & { readonly input_schema?: object })[];
  readonly messages?: readonly { content: readonly Block[] }[];
  readonly input?: readonly Block[];
}

const REFUSED = plain(401, { error: { type: 'authentication_error', message: 'No.' } });

/** Settings as the editor and the command line make them, and the bodies that were sent. */
async function speaker(model: string, ...exchanges: readonly Exchange[]) {
  const server = await playBytes({ ...(exchanges[0] ?? REFUSED), exchanges });
  onTestFinished(() => server.close());
  const config = createConfig({ model, apiKey: 'sk-of-a-test' });
  const access = { apiKey: config.apiKey, baseUrl: server.url, clock: systemClock };
  const settings = toRunSettings(config, await createProvider(config.provider, access));
  // Its server was sent what the assertions look at.
  return { settings, bodies: () => server.requests.map(({ body }) => body as Body) };
}

const exchange = (folder: string, id: string) => findFixture(loadFixtures(folder), id);

/** Runs a prompt: the first answers with a call, then refuses the key. */
async function fallBack(first: RunSettings, second: RunSettings) {
  const { session } = await scenario({ mode: 'plan' });
  const end = await session.prompt('Go', async () => ({ ...first, fallback: async () => second }));
  expect(end).toBe('done');
  expectWellFormed(session.events);
}

test('from Claude to Codex', async () => {
  const claude = await speaker('anthropic/claude-x', exchange('anthropic', 'A05'), REFUSED);
  const codex = await speaker('codex/gpt-5.6-sol', exchange('responses', 'R02'));
  await fallBack(claude.settings, codex.settings);
  expect(claude.bodies().map(({ system }) => system?.[0]?.text)).toEqual([
    systemPrompt('anthropic', ''),
    systemPrompt('anthropic', ''),
  ]);
  const [body] = codex.bodies();
  expect(body?.instructions).toBe(systemPrompt('responses', ''));
  expect(body?.tools).toContainEqual(expect.objectContaining({ type: 'custom', name: 'apply_patch' }));
  expect(body?.tools).toContainEqual(expect.objectContaining({ type: 'function', name: 'update_plan' }));
  const types = body?.input?.map(({ type }) => type);
  expect(types).toEqual(['message', 'message', 'function_call', 'function_call_output']);
});

test('from Codex to Claude', async () => {
  const codex = await speaker('codex/gpt-5.6-sol', exchange('responses', 'R05'), REFUSED);
  const claude = await speaker('anthropic/claude-x', exchange('anthropic', 'A02'));
  await fallBack(codex.settings, claude.settings);
  expect(codex.bodies()[1]?.input?.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['custom_tool_call', 'custom_tool_call_output']),
  );
  const [body] = claude.bodies();
  expect(body?.system?.map(({ text }) => text)).toEqual([systemPrompt('anthropic', '')]);
  expect(body?.tools.map(({ name }) => name)).not.toContain('apply_patch');
  expect(body?.tools.every(({ input_schema }) => input_schema !== undefined)).toBe(true);
  const blocks = body?.messages?.flatMap(({ content }) => content.map(({ type }) => type));
  expect(blocks).toEqual(['text', 'tool_use', 'tool_result']);
});

test('the prompts of the two are not the same', () => {
  expect(systemPrompt('anthropic', '')).not.toBe(systemPrompt('responses', ''));
});
