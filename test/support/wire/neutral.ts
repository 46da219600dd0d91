// Model events in the words of the fixtures, and their comparison.
import { expect } from 'vitest';
import type { AssistantBlock, ModelEvent } from '../../../extension/core/ports/model.ts';
import type { NeutralEvent } from './fixtures.ts';

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

/** Events in the words of the fixtures: deltas joined, and at the end always a `done`. */
export function neutral(events: readonly ModelEvent[], aborted = false): NeutralEvent[] {
  const isRefused = events.some((event) => event.type === 'done' && event.stop === 'refusal');
  const result: NeutralEvent[] = [];
  let shown = '';
  const flush = (type = 'text') => {
    if (shown !== '') result.push({ type, text: shown });
    shown = '';
  };
  for (const event of events) {
    if (event.type === 'text_delta') shown += event.text;
    else if (event.type === 'text') {
      expect(event.text, 'the deltas give the block').toBe(shown);
      flush(event.preamble ? 'preamble' : 'text');
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
      const given = invalid === undefined ? { input } : { inputError: true };
      return [{ type: 'tool_call', id, name, ...given, inputText: input.input }];
    }
    case 'usage': {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = event.usage;
      const cache = { cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens };
      const output = { output: outputTokens, reasoning: reasoningTokens };
      return [{ type: 'usage', input: inputTokens, ...output, ...cache }];
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
  'refusal',
  'limit',
  'used',
  'category',
  'refusal',
]);

export function expectEvents(actual: readonly NeutralEvent[], expected: readonly NeutralEvent[]): void {
  const left = [...actual];
  for (const event of expected) {
    const wanted = Object.fromEntries(
      Object.entries(event).filter(([field, value]) => !REMARKS.has(field) && !isUnsaid(value)),
    );
    const { messageIncludes, trim, ...fields } = wanted;
    if (event.optional && left[0]?.type !== event.type) continue;
    const next = left.shift();
    if (trim) expect(trimmed(next)).toMatchObject(trimmed(fields));
    else expect(next).toMatchObject(fields);
    if (messageIncludes)
      expect(String(next?.message).toLowerCase()).toContain(String(messageIncludes).toLowerCase());
  }
  expect(left).toEqual([]);
}

function trimmed(event: Readonly<Record<string, unknown>> | undefined): object {
  return { ...event, text: String(event?.text).trim() };
}

/** A count that the port has no word for, or an id that is ours. */
function isUnsaid(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^\$\d$/.test(value));
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
        return [
          {
            type: event.type,
            id: event.id,
            name: event.name,
            input: event.input,
            ...(event.opaque && { opaque: event.opaque }),
          },
        ];
      default:
        return [];
    }
  });
}
