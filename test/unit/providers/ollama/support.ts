import type { ModelEvent, ModelProvider, Turn } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { createOllamaProvider } from '../../../../extension/core/providers/ollama/ollama-provider.ts';
import type { WireOptions } from '../../../../extension/core/providers/wire/vendor.ts';
import type { RecordedRequest } from '../../../../scripts/lib/wire/wire-server.ts';
import { findFixture, loadFixtures } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';
import { SHOWN } from '../../../support/wire/ollama-server.ts';

export const fixtures = loadFixtures('ollama');

export const fixture = (id: string) => findFixture(fixtures, id);

export const MODEL = 'qwen3';

/** Answers what is asked of a model, so that a server has nothing to play but its replies. */
export function telling(shown: unknown, fetchWith: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    if (!/\/api\/(show|ps)$/.test(String(input))) return fetchWith(input, init);
    return shown === undefined ? new Response('{}', { status: 404 }) : Response.json(shown);
  };
}

export function provider(options: Partial<WireOptions> = {}, shown: unknown = SHOWN): ModelProvider {
  const clock = new ManualClock();
  return createOllamaProvider({ apiKey: '', clock, ...options, fetch: telling(shown, options.fetch) });
}

export function turn(changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
  return { model: MODEL, system: 'Work.', messages, tools: [], maxTokens: 4096, ...changes };
}

/** The whole reply to one request. */
export function ask(asked: ModelProvider, changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return collect(asked.streamTurn(turn(changes), new AbortController().signal));
}

/** A request's body, of which a test says what is in it. */
export function bodyOf(request: RecordedRequest | undefined): Record<string, unknown> {
  return request?.body as Record<string, unknown>;
}

/** A fetch that answers with these lines. */
export function replying(...lines: readonly string[]): typeof fetch {
  return async () => new Response(lines.join(''));
}
