import type { Opaque } from '../../../protocol/events.ts';
import type { ModelEvent } from '../../ports/model.ts';
import { DamagedStreamError } from '../wire/classify-error.ts';
import { type Fields, textOf } from '../wire/json.ts';
import { parseToolInput } from '../wire/tool-calls.ts';
import { ANTHROPIC_NAME } from './to-request.ts';

/** A block whose `content_block_stop` has not arrived yet. */
export interface OpenBlock {
  readonly index: unknown;
  /** The block as it began, with the fields that arrived later with their final value. */
  readonly wire: Record<string, unknown>;
  /** The text of a `text` or `thinking` block. */
  text: string;
  /** The arguments of a tool; `bytes` is their size. */
  json: string;
  bytes: number;
}

/** A complete block; `doubtful` if the reply may have been cut in it. */
export interface FinishedBlock {
  readonly event: ModelEvent;
  readonly doubtful: boolean;
}

/**
 * The loop's event for a closed block; undefined if the block has nothing usable. Throws
 * `DamagedStreamError`.
 */
export function finishBlock(open: OpenBlock, model: string): FinishedBlock | undefined {
  switch (open.wire.type) {
    case 'text':
      return open.text.trim() === '' ? undefined : sure({ type: 'text', text: open.text });
    case 'thinking':
      return thinking(open, model);
    case 'redacted_thinking':
      return sure({ type: 'reasoning', text: '', opaque: opaque(open.wire, model) });
    case 'tool_use':
      return toolCall(open);
    default:
      return providerBlock(open, model);
  }
}

/** Only signed thinking may be sent back. Thinking that `max_tokens` cut off has no signature. */
function thinking({ wire, text }: OpenBlock, model: string): FinishedBlock | undefined {
  if (textOf(wire.signature) !== '') {
    return sure({ type: 'reasoning', text, opaque: opaque({ ...wire, thinking: text }, model) });
  }
  return text === '' ? undefined : sure({ type: 'reasoning', text });
}

function toolCall({ wire, json }: OpenBlock): FinishedBlock {
  const id = textOf(wire.id);
  const { name } = wire;
  // The model wrote an empty name. The loop answers it like any tool that does not exist.
  if (id === '' || typeof name !== 'string') {
    throw new DamagedStreamError('a tool call came without id or name');
  }
  // Compatible servers may send the arguments whole in the start event.
  const written = json === '' && hasFields(wire.input) ? JSON.stringify(wire.input) : json;
  const input = parseToolInput(written);
  if (typeof input === 'string') {
    return { event: { type: 'tool_call', id, name, input: {}, invalid: input }, doubtful: true };
  }
  return { event: { type: 'tool_call', id, name, input }, doubtful: written.trim() === '' };
}

/**
 * A block of an unknown type, with the input that arrived in pieces (server tools). Undefined if the input
 * was cut.
 */
function providerBlock({ wire, json }: OpenBlock, model: string): FinishedBlock | undefined {
  if (json === '') return sure({ type: 'provider_block', opaque: opaque(wire, model) });
  const input = parseToolInput(json);
  if (typeof input === 'string') return undefined;
  return sure({ type: 'provider_block', opaque: opaque({ ...wire, input }, model) });
}

function opaque(data: Fields, model: string): Opaque {
  return { provider: ANTHROPIC_NAME, model, data };
}

function sure(event: ModelEvent): FinishedBlock {
  return { event, doubtful: false };
}

function hasFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
