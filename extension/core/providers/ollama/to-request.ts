import type { AssistantBlock, ImageBlock, Message, ToolSpec, Turn, UserBlock } from '../../ports/model.ts';
import { toolName } from '../wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../wire/unicode.ts';
import type { ModelFacts, Think } from './model-facts.ts';
import { OLLAMA_NAME } from './options.ts';

/** How long the model stays in memory after a request: long enough for the user to read and answer. */
const KEEP_ALIVE = '30m';

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}

interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly SentCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  /** Base64. */
  readonly images?: readonly string[];
}

export interface ChatRequest {
  readonly model: string;
  readonly stream: true;
  readonly think?: Think;
  readonly keep_alive: string;
  readonly truncate: false;
  readonly shift: false;
  readonly options: { readonly num_ctx: number; readonly num_predict: number };
  readonly tools?: readonly object[];
  readonly messages: readonly SentMessage[];
}

/**
 * The body of `POST /api/chat` (https://docs.ollama.com/api/chat). With it, the server refuses a prompt
 * longer than the window instead of cutting it. It also refuses a reply that would push the beginning of the
 * prompt out of the window.
 */
export function toOllamaRequest(turn: Turn, facts: ModelFacts, think: Think | undefined): ChatRequest {
  return {
    model: turn.model,
    stream: true,
    ...(think !== undefined && { think }),
    keep_alive: KEEP_ALIVE,
    truncate: false,
    shift: false,
    options: { num_ctx: facts.window, num_predict: Math.min(turn.maxTokens, facts.window) },
    ...(turn.tools.length > 0 && { tools: turn.tools.map(toTool) }),
    messages: toMessages(turn, facts.capabilities?.has('vision') ?? true),
  };
}

type Schema = ToolSpec['inputSchema'];

const knownSchemas = new WeakMap<Schema, Schema>();

function toTool({ name, description, inputSchema }: ToolSpec): object {
  const parameters = knownSchemas.get(inputSchema) ?? toParameters(inputSchema);
  knownSchemas.set(inputSchema, parameters);
  return { type: 'function', function: { name, description: wellFormedText(description), parameters } };
}

function toParameters(schema: Schema): Schema {
  const { $schema: _, ...parameters } = wellFormedData(schema);
  return parameters;
}

function toMessages({ system, messages, model }: Turn, sees: boolean): SentMessage[] {
  const sent: SentMessage[] = [];
  if (system.trim() !== '') sent.push({ role: 'system', content: wellFormedText(system) });
  let reply: Translated = NOTHING;
  for (const message of messages) {
    const translated = once(message, { model, sees, reply });
    if (message.role === 'assistant') reply = translated;
    sent.push(...translated.sent);
  }
  return sent;
}

/** What the translation of a message depends on. */
interface Place {
  readonly model: string;
  /** The model accepts images. */
  readonly sees: boolean;
  /** The previous reply. The results follow in the order of its calls, with the names of their tools. */
  readonly reply: Translated;
}

interface Translated {
  readonly place: Place | undefined;
  readonly sent: readonly SentMessage[];
}

const NOTHING: Translated = { place: undefined, sent: [] };

const known = new WeakMap<Message, Translated>();

/**
 * Translates each message once per place, because a message never changes and is sent with every later
 * request.
 */
function once(message: Message, place: Place): Translated {
  const last = known.get(message);
  if (last?.place && isSame(last.place, place)) return last;
  const translated = { place, sent: toSent(message, place) };
  known.set(message, translated);
  return translated;
}

function isSame(left: Place, right: Place): boolean {
  return left.model === right.model && left.sees === right.sees && left.reply === right.reply;
}

function toSent(message: Message, { model, sees, reply }: Place): readonly SentMessage[] {
  if (message.role === 'user') return fromUser(message, reply.sent[0]?.tool_calls ?? [], sees);
  const sent = fromAssistant(message.content, model);
  return sent ? [sent] : [];
}

type UserMessage = Extract<Message, { role: 'user' }>;
type Result = Extract<UserBlock, { type: 'tool_result' }>;

/** Results must directly follow the calls that they answer. */
function fromUser({ content }: UserMessage, calls: readonly SentCall[], sees: boolean): SentMessage[] {
  const at = ({ id }: Result) => calls.findIndex((call) => call.id === id);
  const results = content.filter((block) => block.type === 'tool_result');
  const sent = results.sort((left, right) => at(left) - at(right)).map((result) => fromResult(result, calls));
  const text = joined(content.map((block) => textOf(block, sees)));
  const images = sees ? content.flatMap(imageOf) : [];
  if (text === '' && images.length === 0) return sent;
  return [...sent, { role: 'user', content: text, ...(images.length > 0 && { images }) }];
}

function fromResult({ id, content }: Result, calls: readonly SentCall[]): SentMessage {
  const name = calls.find((call) => call.id === id)?.function.name;
  return {
    role: 'tool',
    ...(name !== undefined && { tool_name: name }),
    tool_call_id: id,
    content: wellFormedText(content) || '(empty)',
  };
}

function textOf(block: UserBlock, sees: boolean): string {
  switch (block.type) {
    case 'text':
    case 'context':
      return wellFormedText(block.text);
    case 'image':
      return wordsFor(block, sees);
    case 'tool_result':
      return joined((block.images ?? []).map((image) => wordsFor(image, sees)));
  }
}

/** What stands for an image that the model does not get. */
function wordsFor({ data }: ImageBlock, sees: boolean): string {
  if (data === undefined) return '(An image was attached here. Its file is missing now.)';
  return sees ? '' : '(An image was attached here, which this model cannot see.)';
}

/** Without the `data:` prefix of a URL. */
function imageOf(block: UserBlock): string[] {
  const images = block.type === 'tool_result' ? (block.images ?? []) : [block];
  return images.flatMap((image) => (image.type === 'image' && image.data !== undefined ? [image.data] : []));
}

/** Undefined if the message has nothing for this model. */
function fromAssistant(content: readonly AssistantBlock[], model: string): SentMessage | undefined {
  const text = joined(content.map((block) => (block.type === 'text' ? wellFormedText(block.text) : '')));
  const thinking = joined(content.map((block) => thinkingOf(block, model)));
  const calls = content.flatMap((block) => (block.type === 'tool_call' ? [toCall(block)] : []));
  if (text === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function thinkingOf(block: AssistantBlock, model: string): string {
  const isOwn =
    block.type === 'reasoning' && block.opaque?.provider === OLLAMA_NAME && block.opaque.model === model;
  return isOwn ? wellFormedText(block.text) : '';
}

function toCall({ id, name, input }: Extract<AssistantBlock, { type: 'tool_call' }>): SentCall {
  return { id, function: { name: toolName(name), arguments: wellFormedData(input) } };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
