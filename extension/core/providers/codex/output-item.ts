import type { Opaque } from '../../../protocol/events.ts';
import type { ModelEvent } from '../../ports/model.ts';
import { DamagedStreamError } from '../wire/classify-error.ts';
import { type Fields, textOf } from '../wire/json.ts';
import { parseToolInput } from '../wire/tool-calls.ts';
import { CODEX_NAME } from './options.ts';

/** The loop's view of an item of the output. */
export interface FinishedItem {
  /** Undefined if the item has nothing usable. */
  readonly event: ModelEvent | undefined;
  /** The reply may have been cut in this item. */
  readonly doubtful: boolean;
  /** The model declined in this item. */
  readonly refused: boolean;
}

/**
 * `item` is that of `output_item.done`, which counts even if the deltas differ. Throws `DamagedStreamError`.
 */
export function finishItem(item: Fields, model: string): FinishedItem {
  switch (item.type) {
    case 'message':
      return message(item, model);
    case 'reasoning':
      return sure(reasoning(item, model));
    case 'function_call':
      return functionCall(item);
    case 'custom_tool_call':
      return customCall(item, model);
    default:
      return sure({ type: 'provider_block', opaque: opaque(item, model) });
  }
}

/**
 * Some models announce their next step in separate messages, marked by a phase. The phase goes back to the
 * model.
 */
function message(item: Fields, model: string): FinishedItem {
  const parts = asList(item.content);
  const text = parts.map((part) => textOf(part.text) || textOf(part.refusal)).join('');
  const refused = parts.some(({ type }) => type === 'refusal');
  if (text.trim() === '') return { event: undefined, doubtful: false, refused };
  const phase = textOf(item.phase);
  const event: ModelEvent = {
    type: 'text',
    text,
    ...(phase === 'commentary' && { preamble: true }),
    ...(phase !== '' && { opaque: opaque({ phase }, model) }),
  };
  return { event, doubtful: false, refused };
}

/** Joins the parts of a summary with blank lines. Models without a summary may send the reasoning itself. */
function reasoning(item: Fields, model: string): ModelEvent {
  const parts = [asList(item.summary), asList(item.content)].find(({ length }) => length > 0) ?? [];
  const text = parts.map((part) => textOf(part.text)).join('\n\n');
  const { status: _, ...data } = item;
  return { type: 'reasoning', text, opaque: opaque(data, model) };
}

function functionCall(item: Fields): FinishedItem {
  const written = textOf(item.arguments);
  const input = parseToolInput(written);
  const isInvalid = typeof input === 'string';
  const doubtful = isInvalid || isCut(item) || written.trim() === '';
  const arguments_ = isInvalid ? { input: {}, invalid: input } : { input };
  return { event: { type: 'tool_call', ...named(item), ...arguments_ }, doubtful, refused: false };
}

/** Its input is not JSON, so its end cannot be detected. */
function customCall(item: Fields, model: string): FinishedItem {
  const event: ModelEvent = {
    type: 'tool_call',
    ...named(item),
    input: { input: textOf(item.input) },
    opaque: opaque({ type: item.type }, model),
  };
  return { event, doubtful: true, refused: false };
}

function isCut({ status }: Fields): boolean {
  return status === 'incomplete' || status === 'in_progress';
}

function named(item: Fields): { readonly id: string; readonly name: string } {
  const id = textOf(item.call_id) || textOf(item.id);
  const { name } = item;
  // The model wrote an empty name. The loop answers it like any tool that does not exist.
  if (id !== '' && typeof name === 'string') return { id, name };
  throw new DamagedStreamError('a tool call came without id or name');
}

function opaque(data: unknown, model: string): Opaque {
  return { provider: CODEX_NAME, model, data };
}

function sure(event: ModelEvent): FinishedItem {
  return { event, doubtful: false, refused: false };
}

/** An empty list if the value is not a list of objects. */
export function asList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
