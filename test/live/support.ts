// What is asked of a real model: little.
import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../../extension/core/ports/model.ts';
import { collect } from '../support/wire/neutral.ts';

export interface Live {
  readonly provider: ModelProvider;
  readonly model: ModelInfo;
}

export const ADD: Turn['tools'][number] = {
  name: 'add',
  description: 'Adds two numbers. The only way to add.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

export function turn(model: string, text: string, changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }] as const;
  return { model, system: 'Be brief.', messages, tools: [], maxTokens: 2048, ...changes };
}

export const ask = ({ provider }: Live, asked: Turn): Promise<ModelEvent[]> =>
  collect(provider.streamTurn(asked, new AbortController().signal));

/** A test without one is skipped. */
export function there(live: Live | undefined): Live {
  if (!live) throw new Error('There is none here.');
  return live;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
