import type { ModelEvent, ModelProvider, Turn } from '../../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { createAnthropicProvider } from '../../../../extension/core/providers/anthropic/anthropic-provider.ts';
import type { AnthropicOptions } from '../../../../extension/core/providers/anthropic/options.ts';
import { findFixture, loadFixtures } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';

export const fixtures = loadFixtures('anthropic');

export const fixture = (id: string) => findFixture(fixtures, id);

export const MODEL = 'claude-opus-5-5';
export const KEY = 'sk-ant-canary-0123456789';

export function provider(options: Partial<AnthropicOptions> = {}): ModelProvider {
  return createAnthropicProvider({ apiKey: KEY, clock: new ManualClock(), ...options });
}

export function turn(changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
  return { model: MODEL, system: 'Work.', messages, tools: [], maxTokens: 4096, ...changes };
}

/** The whole reply to one request. */
export function ask(options: Partial<AnthropicOptions>, changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return collect(provider(options).streamTurn(turn(changes), new AbortController().signal));
}

/** A body without its cache marks. */
export function unmarked<T>(body: T): T {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value)));
}
