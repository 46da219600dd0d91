import type { ModelEvent, ModelProvider, Turn } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { createCodexProvider } from '../../../../extension/core/providers/codex/codex-provider.ts';
import type { WireOptions } from '../../../../extension/core/providers/wire/vendor.ts';
import type { Conformance } from '../../../support/wire/conformance.ts';
import { answering, findFixture, loadFixtures } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';

export const fixtures = loadFixtures('responses');

export const fixture = (id: string) => findFixture(fixtures, id);

export const MODEL = 'gpt-5.6-sol';
export const KEY = 'sk-canary-0123456789abcdef';

export function provider(options: Partial<WireOptions> = {}): ModelProvider {
  return createCodexProvider({ apiKey: KEY, clock: new ManualClock(), ...options });
}

export function turn(changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
  return { model: MODEL, system: 'Work.', messages, tools: [], maxTokens: 4096, ...changes };
}

/** The whole reply to one request. */
export function ask(options: Partial<WireOptions>, changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return collect(provider(options).streamTurn(turn(changes), new AbortController().signal));
}

/** The reply to a stream of these events. */
export function answered(...events: readonly object[]): Promise<ModelEvent[]> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const exchange = { status: 200, headers: {}, close: 'end' } as const;
  return ask({ fetch: answering(exchange, [new TextEncoder().encode(body)]) });
}

/** R06 is about the tool that is called, R20 about two requests. */
export const conformance: Conformance = {
  fixtures,
  apart: new Set(['R06', 'R20']),
  create: createCodexProvider,
  turn: () => turn(),
};
