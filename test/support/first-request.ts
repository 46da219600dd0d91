// The first request that a session sends to a provider.
import { toEnvironmentContext } from '../../extension/core/context/environment.ts';
import { estimateTokens, NEW_CLAUDE, type Tokenizer } from '../../extension/core/context/estimate-tokens.ts';
import { permissionsContext } from '../../extension/core/context/permissions.ts';
import { systemPrompt } from '../../extension/core/context/system-prompt.ts';
import { specOf, type Turn } from '../../extension/core/ports/model.ts';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { catalog, type ProtocolName, type ProviderEntry } from '../../extension/core/providers/catalog.ts';
import { createProvider } from '../../extension/core/providers/create-provider.ts';
import { allTools } from '../../extension/core/tools/all-tools.ts';
import { offeredTools } from '../../extension/core/tools/common/tool.ts';

const ENVIRONMENT = toEnvironmentContext({
  folders: [{ name: 'app', path: '/home/user/app', branch: 'main' }],
  platform: 'linux',
  shell: '/bin/bash',
  now: Date.UTC(2026, 0, 31, 12),
});

/** In an editor, all tools are offered. */
const ALL_SERVERS = {};

/** What a provider is given. `tools`: those that its models know from training. */
export function firstTurn(protocol: ProtocolName, model: string, tools?: readonly string[]): Turn {
  return {
    model,
    system: systemPrompt(protocol, ''),
    tools: offeredTools(allTools, { tools }, ALL_SERVERS).map(specOf),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'context', ...permissionsContext('ask', true) },
          { type: 'context', ...ENVIRONMENT },
          { type: 'text', text: 'Why does the build fail?' },
        ],
      },
    ],
    maxTokens: 32_000,
    session: 'session',
  };
}

/** The body of the request, as the server gets it. */
export async function firstRequest(name: string, model: string): Promise<unknown> {
  const entry = entryOf(name);
  const clock = new ManualClock();
  const provider = await createProvider(entry, { apiKey: 'key', baseUrl: '', clock });
  const bodies: unknown[] = [];
  const listening: typeof fetch = async (input, init) => {
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : undefined;
    if (!/\/api\/(show|ps)$|\/models(\/|$)/.test(String(input))) bodies.push(body);
    return new Response('{}', { status: 400 });
  };
  const asked = provider.origin?.over((wire) => ({ ...wire, fetch: listening })) ?? provider;
  const turn = firstTurn(entry.protocol, model, provider.tools);
  for await (const _ of asked.streamTurn(turn, new AbortController().signal)) {
    // Only what is sent counts.
  }
  return bodies[0];
}

function entryOf(name: string): ProviderEntry {
  const entry = catalog.find((candidate) => candidate.name === name);
  if (!entry) throw new Error(`no provider ${name}`);
  return entry;
}

/** Estimated tokens of the system prompt and the tools, which each request begins with. */
export async function fixedTokens(name: string): Promise<number> {
  const { protocol } = entryOf(name);
  const provider = await createProvider(entryOf(name), {
    apiKey: 'key',
    baseUrl: '',
    clock: new ManualClock(),
  });
  const { system, tools } = firstTurn(protocol, '', provider.tools);
  const tokenizer: Tokenizer = protocol === 'anthropic' ? 'claude' : 'openai';
  const tokens = estimateTokens(system + JSON.stringify(tools), tokenizer);
  return protocol === 'anthropic' ? Math.round(tokens * NEW_CLAUDE) : tokens;
}
