import type { Opaque } from '../../../protocol/events.ts';
import type {
  AssistantBlock,
  ContextBlock,
  ImageBlock,
  Message,
  ToolSpec,
  Turn,
  UserBlock,
} from '../../ports/model.ts';
import type { Fields } from '../wire/json.ts';
import { callId, toolName } from '../wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../wire/unicode.ts';
import { effortFor, takesFreeform, takesVerbosity, thinks } from './models.ts';
import { CODEX_NAME } from './options.ts';
import { isObject } from './output-item.ts';

/** The lowest limit that the API accepts. */
const MIN_OUTPUT = 16;
const MAX_CACHE_KEY = 64;

/**
 * What the server refused: references to items that it did not store, reasoning summaries, or a limit above
 * its own.
 */
export type Refused = 'kept_items' | 'summary' | 'limit';

/**
 * The body of a Responses request. The server stores nothing, so each request has the whole conversation,
 * with encrypted reasoning. All requests of a session begin with the same bytes if their turns do. Leaves out
 * everything in `refused`, and all `unreadable` blocks.
 */
export function toCodexRequest(
  turn: Turn,
  refused: ReadonlySet<Refused> = new Set(),
  unreadable: UnreadableBlocks = new Set(),
): Fields {
  const { model, tools, session } = turn;
  const freeform = takesFreeform(model);
  return {
    model,
    instructions: wellFormedText(turn.system),
    stream: true,
    store: false,
    ...(session && { prompt_cache_key: session.slice(0, MAX_CACHE_KEY) }),
    ...(!refused.has('limit') && { max_output_tokens: Math.max(turn.maxTokens, MIN_OUTPUT) }),
    ...(thinks(model) && { include: ['reasoning.encrypted_content'], reasoning: toReasoning(turn, refused) }),
    ...(takesVerbosity(model) && { text: { verbosity: 'low' } }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toTool(tool, freeform)),
      tool_choice: 'auto',
      parallel_tool_calls: true,
    }),
    input: toInput(turn.messages, { model, freeform, stateless: refused.has('kept_items') }, unreadable),
  };
}

function toReasoning({ model, effort }: Turn, refused: ReadonlySet<Refused>): Fields {
  return {
    ...(effort && { effort: effortFor(model, effort) }),
    ...(!refused.has('summary') && { summary: 'auto' }),
  };
}

/** `strict` would make every field required. Harness checks calls itself. */
function toTool({ name, description, inputSchema, freeform }: ToolSpec, takesFreeform: boolean): Fields {
  const about = { name, description: wellFormedText(description) };
  if (freeform && takesFreeform)
    return { type: 'custom', ...about, format: { type: 'grammar', ...freeform } };
  const { $schema: _, ...parameters } = wellFormedData(inputSchema);
  return { type: 'function', ...about, strict: false, parameters };
}

/** The form in which a request has the history. */
export interface InputForm {
  readonly model: string;
  /** The model accepts tools whose input is not JSON. */
  readonly freeform: boolean;
  /** The request references no item that the server would have to store. */
  readonly stateless: boolean;
}

/** Blocks that the server could not decrypt. */
export type UnreadableBlocks = Pick<ReadonlySet<object>, 'has'>;

/** The `input` of a request. Translates each block once per form, so only new blocks cost time. */
export function toInput(
  messages: readonly Message[],
  form: InputForm,
  unreadable: UnreadableBlocks,
): readonly Fields[] {
  const translation = new Translation(form, unreadable);
  return messages.flatMap((message) => translation.of(message));
}

/** Remembers freeform calls, because their results have a type of their own. */
class Translation {
  readonly #form: InputForm;
  readonly #key: string;
  readonly #unreadable: UnreadableBlocks;
  readonly #freeformCalls = new Set<string>();

  constructor(form: InputForm, unreadable: UnreadableBlocks) {
    this.#form = form;
    this.#unreadable = unreadable;
    this.#key = JSON.stringify(form);
  }

  of(message: Message): readonly Fields[] {
    if (message.role === 'user') return this.#user(message.content);
    const items = message.content.flatMap((block) => this.#assistant(block));
    // The API refuses reasoning "provided without its required following item".
    return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  }

  #user(blocks: readonly UserBlock[]): readonly Fields[] {
    const results = blocks.filter((block) => block.type === 'tool_result');
    const rest = blocks.filter((block) => block.type !== 'tool_result');
    return [
      ...results.map((block) => {
        const isFreeform = this.#freeformCalls.has(block.id);
        return remembered(block, String(isFreeform), () => toResult(block, isFreeform));
      }),
      ...joined(rest.flatMap((block) => remembered(block, '', () => toMessage(block)) ?? [])),
    ].filter((item) => item !== undefined);
  }

  #assistant(block: AssistantBlock): readonly Fields[] {
    if (this.#unreadable.has(block)) return [];
    if (block.type === 'tool_call' && this.#form.freeform && isFreeformCall(block)) {
      this.#freeformCalls.add(block.id);
    }
    return remembered(block, this.#key, () => fromAssistant(block, this.#form)) ?? [];
  }
}

const known = new WeakMap<object, { readonly key: string; readonly made: unknown }>();

/** Returns the stored translation of a block for this key, or makes and stores it. */
function remembered<Made>(block: object, key: string, make: () => Made): Made {
  const last = known.get(block);
  // Only this function writes to `known`, and each kind of block has one kind of translation.
  if (last?.key === key) return last.made as Made;
  const made = make();
  known.set(block, { key, made });
  return made;
}

type CallBlock = Extract<AssistantBlock, { type: 'tool_call' }>;

function isFreeformCall(call: CallBlock): boolean {
  const { opaque } = call;
  if (opaque?.provider !== CODEX_NAME || !isObject(opaque.data)) return false;
  return opaque.data.type === 'custom_tool_call' && typeof call.input.input === 'string';
}

function fromAssistant(block: AssistantBlock, form: InputForm): readonly Fields[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [toAnswer(block, form.model)];
    case 'tool_call':
      return [form.freeform && isFreeformCall(block) ? toFreeformCall(block) : toFunctionCall(block)];
    default:
      return toOpaque(block.opaque, form);
  }
}

/** A model that sends phases expects its own phases back. */
function toAnswer({ text, opaque }: Extract<AssistantBlock, { type: 'text' }>, model: string): Fields {
  const kept = ownData(opaque, model);
  return {
    type: 'message',
    role: 'assistant',
    ...(kept?.phase !== undefined && { phase: kept.phase }),
    content: [{ type: 'output_text', text: wellFormedText(text) }],
  };
}

function toFunctionCall({ id, name, input }: CallBlock): Fields {
  const written = JSON.stringify(wellFormedData(input));
  return { type: 'function_call', call_id: toId(id), name: toolName(name), arguments: written };
}

function toFreeformCall({ id, name, input }: CallBlock): Fields {
  const written = wellFormedText(String(input.input));
  return { type: 'custom_tool_call', call_id: toId(id), name: toolName(name), input: written };
}

function toResult(block: Extract<UserBlock, { type: 'tool_result' }>, isFreeform: boolean): Fields {
  const type = isFreeform ? 'custom_tool_call_output' : 'function_call_output';
  const text = wellFormedText(block.content) || '(empty)';
  const { images = [] } = block;
  const parts = () => [{ type: 'input_text', text }, ...images.map(toImage)];
  return { type, call_id: toId(block.id), output: images.length === 0 ? text : parts() };
}

/**
 * An item with its own content needs no id. Any other item is referenced by id, unless the server stores
 * nothing.
 */
function toOpaque(opaque: Opaque | undefined, { model, stateless }: InputForm): readonly Fields[] {
  const item = ownData(opaque, model);
  if (!item) return [];
  const isWhole = typeof item.encrypted_content === 'string';
  if (!isWhole && !stateless) return [item];
  if (!isWhole && item.type === 'reasoning') return [];
  const { id: _, ...rest } = item;
  return [rest];
}

function ownData(opaque: Opaque | undefined, model: string): Fields | undefined {
  if (opaque?.provider !== CODEX_NAME || opaque.model !== model) return undefined;
  return isObject(opaque.data) ? wellFormedData(opaque.data) : undefined;
}

interface InputMessage extends Fields {
  readonly role: string;
  readonly content: readonly Fields[];
}

type ShownBlock = Exclude<UserBlock, { type: 'tool_result' }>;

function toMessage(block: ShownBlock): InputMessage | undefined {
  if (block.type === 'image') return { ...USER, content: [toImage(block)] };
  if (block.text.trim() === '') return undefined;
  const role = block.type === 'context' ? roleOf(block) : 'user';
  return { ...USER, role, content: [{ type: 'input_text', text: wellFormedText(block.text) }] };
}

const USER = { type: 'message', role: 'user' } as const;

/** Harness's own rules are from the developer; information about the user's environment is from the user. */
function roleOf({ kind }: ContextBlock): string {
  return kind === 'permissions' || kind === 'collaboration' ? 'developer' : 'user';
}

function toImage({ mediaType, data }: ImageBlock): Fields {
  if (data === undefined) {
    return { type: 'input_text', text: '(An image was attached here. Its file is missing now.)' };
  }
  return { type: 'input_image', image_url: `data:${mediaType};base64,${data}` };
}

/** Joins adjacent messages of one role. */
function joined(messages: readonly InputMessage[]): InputMessage[] {
  const result: InputMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role !== message.role) result.push(message);
    else result[result.length - 1] = { ...last, content: [...last.content, ...message.content] };
  }
  return result;
}

const toId = (id: string) => callId(id, 'call_');
