// One session, each prompt to another provider: whatever one of them has left in the conversation, the next takes it.
import { expect, onTestFinished, test } from 'vitest';
import { createProvider } from '../../extension/core/providers/create-provider.ts';
import { Router } from '../../extension/core/providers/router.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { type Exchange, plain, playBytes } from '../../scripts/lib/wire/wire-server.ts';
import { expectWellFormed, scenario } from '../support/scenario.ts';
import { findFixture, loadFixtures } from '../support/wire/fixtures.ts';

/** A reply with a call, then one with an answer, of each. */
const STATIONS = [
  { model: 'anthropic/claude-x', folder: 'anthropic', replies: ['A09', 'A02'] },
  { model: 'codex/gpt-5.6-sol', folder: 'responses', replies: ['R03', 'R02'] },
  { model: 'deepseek/deepseek-x', folder: 'chat', replies: ['C18', 'C01'] },
  { model: 'ollama/qwen', folder: 'ollama', replies: ['O04', 'O02'] },
] as const;

interface Body {
  readonly messages?: readonly Said[];
  readonly input?: readonly Item[];
}
interface Said {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { id?: string }[];
}
interface Item {
  readonly type?: string;
  readonly call_id?: string;
}

/** How many calls a request has, and how many results. */
const counts: Readonly<Record<string, (body: Body) => { calls: number; results: number }>> = {
  anthropic: ({ messages = [] }) => {
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Item[]) : []));
    return { calls: ofType(blocks, /^tool_use$/), results: ofType(blocks, /^tool_result$/) };
  },
  responses: ({ input = [] }) => ({
    calls: ofType(input, /_call$/),
    results: ofType(input, /_call_output$/),
  }),
  chat: inMessages,
  ollama: inMessages,
};

function inMessages({ messages = [] }: Body) {
  return {
    calls: messages.flatMap(({ tool_calls = [] }) => tool_calls).length,
    results: messages.filter(({ role }) => role === 'tool').length,
  };
}

function ofType(items: readonly Item[], type: RegExp): number {
  return items.filter((item) => type.test(item.type ?? '')).length;
}

/** What a provider wants back and no other may see: signatures and what was thought, encrypted. */
function sealedIn(exchanges: readonly Exchange[]): string[] {
  const text = exchanges.flatMap(({ chunks }) => chunks.map((chunk) => ('data' in chunk ? chunk.data : '')));
  const found = text.join('').matchAll(/"(?:signature|encrypted_content)":\s*"([^"]{8,})"/g);
  return [...new Set([...found].flatMap(([, sealed]) => sealed ?? []))];
}

async function station({ model, folder, replies }: (typeof STATIONS)[number], rounds: number) {
  const fixtures = loadFixtures(folder);
  const exchanges = replies.map((id) => findFixture(fixtures, id));
  // Ollama is asked first what the model can.
  const before = folder === 'ollama' ? [plain(200, { capabilities: ['tools', 'thinking'] })] : [];
  const server = await playBytes({
    ...findFixture(fixtures, replies[0]),
    exchanges: [...before, ...Array.from({ length: rounds }, () => exchanges).flat()],
  });
  onTestFinished(() => server.close());
  const reference = new Router().resolve(model);
  const access = { apiKey: 'sk-of-a-test', baseUrl: server.url, clock: systemClock };
  const provider = await createProvider(reference.entry, access);
  const requests = () => server.requests.slice(before.length);
  return { folder, model: reference.model, provider, requests, sealed: sealedIn(exchanges) };
}

test('a session goes from Claude to Codex, to Chat Completions, to Ollama and around again', async () => {
  const { session, settings } = await scenario({ mode: 'plan' });
  const stations = await Promise.all(STATIONS.map((each) => station(each, 2)));
  let prompts = 0;
  for (const { provider, model } of [...stations, ...stations]) {
    const end = await session.prompt(`Prompt ${++prompts}`, settings(provider, { model }));
    expect(end, `${provider.name}, prompt ${prompts}`).toBe('done');
  }
  expectWellFormed(session.events);

  for (const { folder, requests, sealed } of stations) {
    expect(requests()).toHaveLength(4);
    const foreign = stations.filter((other) => other.folder !== folder).flatMap((other) => other.sealed);
    for (const { raw, body } of requests()) {
      expect(
        foreign.filter((piece) => raw.includes(piece)),
        `${folder} gets nothing of another`,
      ).toEqual([]);
      const { calls, results } = counts[folder]?.(body as Body) ?? {};
      expect(results, `${folder}: each call has its result`).toBe(calls);
    }
    const last = requests().at(-1);
    expect(counts[folder]?.(last?.body as Body).calls).toBeGreaterThanOrEqual(5);
    for (let prompt = 1; prompt <= 4; prompt++) expect(last?.raw).toContain(`Prompt ${prompt}`);
    if (sealed.length > 0)
      expect(
        sealed.some((piece) => last?.raw.includes(piece)),
        folder,
      ).toBe(true);
  }
  expect(stations.flatMap(({ sealed }) => sealed).length).toBeGreaterThan(2);
});
