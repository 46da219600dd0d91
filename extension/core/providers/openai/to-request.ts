import type { Message, ToolSpec, Turn } from '../../ports/model.ts';
import { type Fields, listOf } from '../wire/json.ts';
import { objectSchema, toolName } from '../wire/tool-calls.ts';
import { wellFormedText } from '../wire/unicode.ts';
import { type Listener, toMessages } from './to-messages.ts';

/**
 * Translates each message once per listener, because a message never changes and is sent with every later
 * request.
 */
export type Translated = WeakMap<Message, readonly Fields[]>;

/**
 * The body of a Chat Completions request (platform.openai.com/docs/api-reference/chat/create). The growing
 * part is at its end, so that all requests of a session begin with the same bytes.
 */
export function toChatRequest(turn: Turn, listener: Listener, translated: Translated): Fields {
  const { dialect } = listener;
  const said = turn.messages.flatMap((message) => once(message, listener, translated));
  return {
    model: turn.model,
    stream: true,
    ...(dialect.streamOptions && { stream_options: { include_usage: true } }),
    ...(dialect.tokenField && { [dialect.tokenField]: turn.maxTokens }),
    ...(turn.effort && dialect.efforts[turn.effort]),
    ...(dialect.cacheKey && turn.session && { prompt_cache_key: turn.session }),
    ...dialect.extra,
    ...toTools(turn),
    messages: [...toSystem(turn.system, listener), ...(dialect.strictTurns ? inTurns(said) : said)],
  };
}

function once(message: Message, listener: Listener, translated: Translated): readonly Fields[] {
  const known = translated.get(message) ?? toMessages(message, listener);
  translated.set(message, known);
  return known;
}

function toSystem(system: string, { dialect }: Listener): Fields[] {
  return system.trim() === '' ? [] : [{ role: dialect.systemRole, content: wellFormedText(system) }];
}

/** Servers that forward to other APIs refuse a history with calls if the request has no tools. */
function toTools({ tools, messages }: Turn): Fields {
  if (tools.length > 0) return { tools: tools.map(toTool) };
  const called = new Set(messages.flatMap(({ content }) => content.flatMap(nameOf)));
  if (called.size === 0) return {};
  const former = [...called].map((name) => ({ name, description: '(a former tool)', inputSchema: {} }));
  return { tools: former.map(toTool), tool_choice: 'none' };
}

function nameOf(block: Message['content'][number]): string[] {
  return block.type === 'tool_call' ? [toolName(block.name)] : [];
}

function toTool({ name, description, inputSchema }: ToolSpec): Fields {
  const parameters = { properties: {}, ...objectSchema(inputSchema) };
  return { type: 'function', function: { name, description: wellFormedText(description), parameters } };
}

/** Inserted between the results of a stopped run and the next prompt. */
const STOPPED = { role: 'assistant', content: '(stopped)' };

/** Adapts the messages to a template that fails unless user and model alternate. */
export function inTurns(messages: readonly Fields[]): readonly Fields[] {
  const result: Fields[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role !== 'user') result.push(message);
    else if (last?.role === 'user') result[result.length - 1] = joined(last, message);
    else result.push(...(last?.role === 'tool' ? [STOPPED] : []), message);
  }
  return result;
}

function joined(first: Fields, second: Fields): Fields {
  const contents = [first.content, second.content];
  const isText = contents.every((content) => typeof content === 'string');
  return { role: 'user', content: isText ? contents.join('\n\n') : contents.flatMap(partsOf) };
}

function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
