import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/manual-clock.ts';
import type {
  AssistantBlock,
  ModelEvent,
  ModelProvider,
  Turn,
} from '../../../../extension/core/ports/model.ts';
import { createAnthropicProvider } from '../../../../extension/core/providers/anthropic/anthropic-provider.ts';
import type { AnthropicOptions } from '../../../../extension/core/providers/anthropic/options.ts';
import type { Exchange, Fixture } from '../../../../scripts/lib/claude/fake-anthropic.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/anthropic');

export interface NeutralEvent {
  readonly type: string;
  readonly optional?: boolean;
  readonly [field: string]: unknown;
}

export interface AnthropicFixture extends Fixture {
  readonly case: string;
  readonly id: string;
  readonly purpose: string;
  readonly abortAfterChunk?: number;
  readonly given?: {
    readonly toolResults?: Readonly<Record<string, { content: string; isError: boolean }>>;
    readonly each?: readonly {
      status: number;
      type: string;
      message: string;
      kind: string;
      retryable: boolean;
    }[];
  };
  readonly expect: {
    readonly events: readonly NeutralEvent[];
    readonly history?: { readonly append?: readonly { role: string; content: unknown }[] };
  };
}

export const fixtures: readonly AnthropicFixture[] = readdirSync(FOLDER)
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));

export function fixture(id: string): AnthropicFixture {
  const found = fixtures.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no fixture ${id}.`);
  return found;
}

export const MODEL = 'claude-opus-5-5';
export const KEY = 'sk-ant-canary-0123456789';

export function provider(options: Partial<AnthropicOptions> = {}): ModelProvider {
  return createAnthropicProvider({ apiKey: KEY, clock: new ManualClock(), ...options });
}

export function turn(changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }] as const;
  return { model: MODEL, system: 'Work.', messages, tools: [], maxTokens: 4096, ...changes };
}

export async function collect(
  events: AsyncIterable<ModelEvent>,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<ModelEvent[]> {
  const collected: ModelEvent[] = [];
  for await (const event of events) {
    collected.push(event);
    onEvent(event);
  }
  return collected;
}

/** The whole reply to one request. */
export function ask(options: Partial<AnthropicOptions>, changes: Partial<Turn> = {}): Promise<ModelEvent[]> {
  return collect(provider(options).streamTurn(turn(changes), new AbortController().signal));
}

export function bytesOf(exchange: Exchange): Uint8Array[] {
  return exchange.chunks.map((chunk) =>
    'data' in chunk ? new TextEncoder().encode(chunk.data) : Buffer.from(chunk.dataB64, 'base64'),
  );
}

/** A fetch without sockets: answers with these bytes, in these pieces. */
export function answering(
  exchange: Pick<Exchange, 'status' | 'headers' | 'close'>,
  chunks: readonly Uint8Array[],
): typeof fetch {
  return async (_input, init) => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason), { once: true });
      },
      pull: (controller) => {
        const chunk = chunks[next++];
        if (chunk) return controller.enqueue(chunk);
        if (exchange.close === 'reset') return controller.error(connectionReset());
        if (exchange.close === 'end') return controller.close();
        return new Promise(() => {});
      },
    });
    return new Response(body, { status: exchange.status, headers: exchange.headers });
  };
}

/** What Node's fetch throws. */
export function connectionReset(): Error {
  return new TypeError('terminated', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
}

/** Events in the words of the fixtures: deltas joined, and at the end always a `done`. */
export function neutral(events: readonly ModelEvent[], aborted = false): NeutralEvent[] {
  const isRefused = events.some((event) => event.type === 'done' && event.stop === 'refusal');
  const result: NeutralEvent[] = [];
  let shown = '';
  const flush = () => {
    if (shown !== '') result.push({ type: 'text', text: shown });
    shown = '';
  };
  for (const event of events) {
    if (event.type === 'text_delta') shown += event.text;
    else if (event.type === 'text') {
      expect(event.text, 'the deltas give the block').toBe(shown);
      flush();
    } else if (!(isRefused && event.type === 'tool_call')) {
      const translated = translate(event);
      if (translated.length > 0) flush();
      result.push(...translated);
    }
  }
  flush();
  return aborted ? [...result, { type: 'done', reason: 'aborted' }] : result;
}

function translate(event: ModelEvent): NeutralEvent[] {
  switch (event.type) {
    case 'reasoning':
      return [{ type: 'thinking', text: event.text, opaque: event.opaque !== undefined }];
    case 'tool_call': {
      const { id, name, input, invalid } = event;
      return [{ type: 'tool_call', id, name, ...(invalid === undefined ? { input } : { inputError: true }) }];
    }
    case 'usage': {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = event.usage;
      const cache = { cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens };
      return [{ type: 'usage', input: inputTokens, output: outputTokens, ...cache }];
    }
    case 'error':
      return [
        { type: 'error', ...event.error },
        { type: 'done', reason: 'error' },
      ];
    case 'done':
      return [{ type: 'done', reason: event.stop }];
    default:
      return [];
  }
}

/** Fields of the fixtures that say something about the others, or that the port does not carry. */
const REMARKS = new Set([
  'optional',
  'partial',
  'note',
  'deltas',
  'raw',
  'redacted',
  'reasoning',
  'limit',
  'used',
  'category',
]);

export function expectEvents(actual: readonly NeutralEvent[], expected: readonly NeutralEvent[]): void {
  const left = [...actual];
  for (const event of expected) {
    const wanted = Object.fromEntries(Object.entries(event).filter(([field]) => !REMARKS.has(field)));
    const { messageIncludes, ...fields } = wanted;
    if (event.optional && left[0]?.type !== event.type) continue;
    const next = left.shift();
    expect(next).toMatchObject(fields);
    if (messageIncludes)
      expect(String(next?.message).toLowerCase()).toContain(String(messageIncludes).toLowerCase());
  }
  expect(left).toEqual([]);
}

/** The reply as the next request carries it. */
export function assistantBlocks(events: readonly ModelEvent[]): AssistantBlock[] {
  return events.flatMap((event): AssistantBlock[] => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
      case 'provider_block':
        return [event];
      case 'tool_call':
        return [{ type: event.type, id: event.id, name: event.name, input: event.input }];
      default:
        return [];
    }
  });
}

/** A body without its cache marks. */
export function unmarked<T>(body: T): T {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value)));
}
