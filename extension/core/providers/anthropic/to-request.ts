import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { AssistantBlock, ImageBlock, Message, ToolSpec, Turn, UserBlock } from '../../ports/model.ts';
import { callId, objectSchema, toolName } from '../wire/tool-calls.ts';
import { isWellFormed, wellFormedData, wellFormedText } from '../wire/unicode.ts';
import { type AnthropicMessage, isThinking, thinkingOf } from './thinking.ts';

/** The name of this provider, also in its opaque blocks. */
export const ANTHROPIC_NAME = 'anthropic';

/**
 * The system prompt and the tools before it stay the same for a whole session, so their cache may outlast a
 * pause of the user. A longer time to live must come before a shorter one.
 */
const ONE_HOUR = { type: 'ephemeral', ttl: '1h' } as const;
const FIVE_MINUTES = { type: 'ephemeral' } as const;

/**
 * The body of a Messages request. All requests of a session begin with the same bytes except for
 * `cache_control`, if their turns do; caches and signed thinking need that. Leaves out thinking blocks whose
 * `fingerprint` is in `refused`.
 */
export function toAnthropicRequest(turn: Turn, refused: ReadonlySet<string>): MessageCreateParamsStreaming {
  const messages = toMessages(turn, refused);
  markForCache(messages);
  const system = toSystem(turn.system);
  return {
    model: turn.model,
    max_tokens: turn.maxTokens,
    stream: true,
    ...thinkingOf(turn, messages),
    ...(system && { system }),
    ...(turn.tools.length > 0 && { tools: toTools(turn.tools) }),
    messages,
  };
}

/** The body that counts the tokens of the same request. */
export function toCountRequest(turn: Turn, refused: ReadonlySet<string>): MessageCountTokensParams {
  const { model, messages, system, tools, thinking, output_config } = toAnthropicRequest(turn, refused);
  return {
    ...{ model, messages },
    ...(system && { system }),
    ...(tools && { tools }),
    ...(thinking && { thinking }),
    ...(output_config && { output_config }),
  };
}

/** Identifies a thinking block. */
export function fingerprint(data: unknown): string {
  return JSON.stringify(data);
}

function toSystem(system: string): TextBlockParam[] | undefined {
  if (system.trim() === '') return undefined;
  return [{ type: 'text', text: wellFormedText(system), cache_control: ONE_HOUR }];
}

function toTools(tools: readonly ToolSpec[]): Tool[] {
  return tools.map((tool, index) => ({
    name: tool.name,
    description: wellFormedText(tool.description),
    input_schema: objectSchema(tool.inputSchema),
    ...(index === tools.length - 1 && { cache_control: ONE_HOUR }),
  }));
}

function toMessages(turn: Turn, refused: ReadonlySet<string>): AnthropicMessage[] {
  const sent: AnthropicMessage[] = [];
  for (const message of turn.messages) {
    const content = toContent(message, turn.model, refused);
    const last = sent.at(-1);
    if (content.length === 0) continue;
    if (last?.role === message.role) last.content.push(...content);
    else sent.push({ role: message.role, content });
  }
  for (const { role, content } of sent) if (role === 'user') putResultsFirst(content);
  return sent;
}

function toContent(message: Message, model: string, refused: ReadonlySet<string>): ContentBlockParam[] {
  if (message.role === 'user') return message.content.flatMap(fromPlain);
  const content = message.content.flatMap((block) => fromAssistant(block, model, refused));
  // "The final block in an assistant message cannot be `thinking`."
  return putCallsLast(content.slice(0, content.findLastIndex((block) => !isThinking(block)) + 1));
}

function fromAssistant(
  block: AssistantBlock,
  model: string,
  refused: ReadonlySet<string>,
): readonly ContentBlockParam[] {
  switch (block.type) {
    case 'text':
    case 'tool_call':
      return fromPlain(block);
    case 'reasoning':
      if (refused.size > 0 && refused.has(fingerprint(block.opaque?.data))) return [];
      return toOpaque(block.opaque, model);
    case 'provider_block':
      return toOpaque(block.opaque, model);
  }
}

/** Blocks that are sent to every model in the same form. */
type PlainBlock = UserBlock | Extract<AssistantBlock, { type: 'text' | 'tool_call' }>;

const known = new WeakMap<PlainBlock, readonly ContentBlockParam[]>();

/** Translates each block once, because a block never changes and is sent with every later request. */
function fromPlain(block: PlainBlock): readonly ContentBlockParam[] {
  const blocks = known.get(block) ?? translate(block);
  known.set(block, blocks);
  return blocks;
}

function translate(block: PlainBlock): readonly ContentBlockParam[] {
  if (block.type === 'text' || block.type === 'context') return toText(block.text);
  if (block.type === 'image') return [toImage(block)];
  const { id } = block;
  if (block.type === 'tool_call') {
    const { name, input } = block;
    return [{ type: 'tool_use', id: toId(id), name: toolName(name), input: wellFormedData(input) }];
  }
  return [
    {
      type: 'tool_result',
      tool_use_id: toId(id),
      content: toResultContent(block),
      ...(block.isError && { is_error: true }),
    },
  ];
}

function toResultContent({ content, images = [] }: ResultBlock): string | ResultPart[] {
  // The API refuses an error without content.
  const text = wellFormedText(content) || '(empty)';
  return images.length === 0 ? text : [{ type: 'text', text }, ...images.map(toImage)];
}

type ResultBlock = Extract<UserBlock, { type: 'tool_result' }>;
type ResultPart = TextBlockParam | ImageBlockParam;

const toId = (id: string) => callId(id, 'toolu_');

/** Leaves out unsigned thinking, blocks of another model or provider, and blocks that were not read whole. */
function toOpaque(
  opaque: (AssistantBlock & { type: 'reasoning' })['opaque'],
  model: string,
): ContentBlockParam[] {
  if (opaque?.provider !== ANTHROPIC_NAME || opaque.model !== model || !isWellFormed(opaque.data)) return [];
  // The block came from this API as a content block and is stored unchanged.
  return [opaque.data as ContentBlockParam];
}

function toImage({ mediaType, data }: ImageBlock): ResultPart {
  if (data === undefined)
    return { type: 'text', text: '(An image was attached here. Its file is missing now.)' };
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** The API refuses a text block without a visible character. */
function toText(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: wellFormedText(text) }];
}

/** Other models may add text after a call, but Claude's results must follow the call directly. */
function putCallsLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  const isCall = (block: ContentBlockParam) => block.type === 'tool_use';
  return content.toSorted((left, right) => Number(isCall(left)) - Number(isCall(right)));
}

/** Results must directly follow the calls that they answer. */
function putResultsFirst(content: ContentBlockParam[]): void {
  const isResult = (block: ContentBlockParam) => block.type === 'tool_result';
  content.sort((left, right) => Number(isResult(right)) - Number(isResult(left)));
}

/**
 * The last user message writes the cache for the next request. The one before it is where the previous
 * request wrote it. The mark there makes this request find that cache even if more than 20 blocks follow it,
 * which is how far the API looks back.
 */
function markForCache(messages: readonly AnthropicMessage[]): void {
  const users = messages.filter(({ role }) => role === 'user');
  for (const { content } of users.slice(-2)) {
    const last = content.at(-1);
    if (last?.type === 'text' || last?.type === 'image' || last?.type === 'tool_result') {
      content[content.length - 1] = { ...last, cache_control: FIVE_MINUTES };
    }
  }
}
