import type { Clock } from '../ports/clock.ts';
import type { ModelProvider } from '../ports/model.ts';
import { createDemoProvider } from './demo/demo-provider.ts';

export interface ProviderOptions {
  /** Empty where none is needed. */
  readonly apiKey: string;
  /** As the vendor's SDK means it; empty for its own address. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

export function needsKey(provider: string): boolean {
  return provider !== 'demo';
}

/** Every Claude since version 3 sees images. */
export function takesImages(provider: string): boolean {
  return provider !== 'demo';
}

const DEMO_WORD_DELAY_MS = 12;

/** The provider of a resolved model reference. Loads its SDK on first use. */
export async function createProvider(name: string, options: ProviderOptions): Promise<ModelProvider> {
  if (!needsKey(name)) return createDemoProvider({ clock: options.clock, wordDelayMs: DEMO_WORD_DELAY_MS });
  const { createAnthropicProvider } = await import('./anthropic/anthropic-provider.ts');
  const { apiKey, baseUrl, clock } = options;
  return createAnthropicProvider({ apiKey, clock, ...(baseUrl && { baseUrl }) });
}
