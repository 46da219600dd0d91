import type { ModelEvent, ModelProvider, Turn } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { catalog, type ProviderEntry } from '../../../../extension/core/providers/catalog.ts';
import {
  type ChatOptions,
  createOpenAiProvider,
} from '../../../../extension/core/providers/openai/openai-provider.ts';
import type { RecordedRequest } from '../../../../scripts/lib/wire/wire-server.ts';
import { findFixture, loadFixtures } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';

export const fixtures = loadFixtures('chat');

export const fixture = (id: string) => findFixture(fixtures, id);

export const MODEL = 'test-model';
export const KEY = 'sk-canary-0123456789abcdef';

export function entryOf(name: string): ProviderEntry {
  const found = catalog.find((entry) => entry.name === name);
  if (!found) throw new Error(`There is no provider ${name}.`);
  return found;
}

/** Whose fixture it is, where that matters. */
const OWNERS: Readonly<Record<string, { provider: string; model: string }>> = {
  C14: { provider: 'openrouter', model: 'anthropic/claude-sonnet-5-5' },
  C18: { provider: 'deepseek', model: 'deepseek-flash' },
  C20: { provider: 'openai', model: 'qwq-32b' },
};

export function ownerOf(id: string): { provider: string; model: string } {
  return OWNERS[id] ?? { provider: 'openai', model: MODEL };
}

export function provider(options: Partial<ChatOptions> = {}): ModelProvider {
  return createOpenAiProvider({ apiKey: KEY, clock: new ManualClock(), ...options });
}

export function turn(changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
  return { model: MODEL, system: 'Work.', messages, tools: [], maxTokens: 4096, ...changes };
}

/** The whole reply to one request. */
export function ask(options: Partial<ChatOptions>, changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return collect(provider(options).streamTurn(turn(changes), new AbortController().signal));
}

export type Body = Readonly<Record<string, unknown>> & {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
};

/** What a server of this provider would be sent, without a socket. */
export async function requestOf(changes: Partial<Turn>, options: Partial<ChatOptions> = {}): Promise<Body> {
  let body = '';
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    body = String(init?.body);
    return new Response('data: [DONE]\n\n');
  };
  await ask({ ...options, fetch }, changes);
  return JSON.parse(body);
}

export const bodyOf = (request: RecordedRequest | undefined): Body => request?.body as Body;

/** A stream of these chunks, each as it stands: one that is a text is a raw line. */
export function streaming(...chunks: readonly unknown[]): typeof fetch {
  const lines = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}`));
  return async () =>
    new Response(lines.map((line) => `${line}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
}

/** A chunk with this delta, and the reason for which the reply ends there. */
export function delta(fields: object, reason: string | null = null): object {
  return { choices: [{ index: 0, delta: fields, finish_reason: reason }] };
}

/** A fragment of a call. */
export function call(fields: object, written: object = {}): object {
  return delta({ tool_calls: [{ ...fields, function: written }] });
}
