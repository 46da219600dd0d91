// What servers of Chat Completions demand of a request (https://platform.openai.com/docs/api-reference/chat/create).
import { demandImageUrl } from './responses-rules.ts';
import {
  Calls,
  demand,
  demandOnly,
  demandText,
  demandToolName,
  demandTools,
  demandWellFormed,
  type Fields,
  fields,
  list,
  violationIn,
} from './rule.ts';

/** What is particular to the server that is asked. */
export interface ChatServer {
  /** The form of ids; OpenAI's where it is left out. */
  readonly ids?: RegExp;
  readonly systemRole?: 'system' | 'developer';
  /** It takes images. */
  readonly images: boolean;
  /** Fields of its own that it wants back in messages of the assistant. */
  readonly echoes?: string;
  /** It takes the content of an assistant's message in parts. */
  readonly thinkingParts?: boolean;
}

const FIELDS =
  'model stream stream_options max_tokens max_completion_tokens reasoning_effort prompt_cache_key tools tool_choice messages';

export function chatViolation(body: unknown, server: ChatServer): string | undefined {
  return violationIn(() => {
    const request = fields(body, 'the request');
    demandOnly(request, FIELDS, 'the request');
    demandWellFormed(request);
    const { max_tokens, max_completion_tokens } = request;
    demand((max_tokens === undefined) !== (max_completion_tokens === undefined), 'it has not one limit');
    const tools = list(request.tools ?? [], 'tools').map((tool) => fields(tool.function, 'a tool'));
    demandTools(tools.map(({ name, parameters }) => ({ name, schema: parameters })));
    const calls = checkMessages(list(request.messages, 'messages'), server);
    demand(!calls.any || tools.length > 0, 'there are calls, and no tools');
  });
}

function checkMessages(messages: readonly Fields[], server: ChatServer): Calls {
  const calls = new Calls(server.ids ?? /^[a-zA-Z0-9_-]{1,40}$/);
  const said = messages.filter(({ role }) => role !== (server.systemRole ?? 'system'));
  demand(messages.length - said.length <= 1, 'there is more than one system message');
  demand(said.length > 0, 'there is no message');
  demand(said[0]?.role === 'user', 'the first message is not the user’s');
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    if (message.role !== 'tool') calls.settled(at);
    checkMessage(message, calls, server, at);
  });
  calls.settled('the end');
  demand(messages.at(-1)?.role !== 'assistant', 'the last word is the model’s own');
  return calls;
}

function checkMessage(message: Fields, calls: Calls, server: ChatServer, at: string): void {
  switch (message.role) {
    case 'system':
    case 'developer':
      demandOnly(message, 'role content', at);
      demand(message.role === (server.systemRole ?? 'system') && at === 'messages[0]', `${at} is a system's`);
      demandText(message.content, at);
      break;
    case 'user':
      demandOnly(message, 'role content', at);
      checkUser(message.content, server, at);
      break;
    case 'tool':
      demandOnly(message, 'role tool_call_id content', at);
      demandText(message.content, at);
      calls.answered({ id: String(message.tool_call_id), kind: 'tool' });
      break;
    case 'assistant':
      checkAssistant(message, calls, server, at);
      break;
    default:
      demand(false, `${at} has the role ${message.role}`);
  }
}

function checkUser(content: unknown, { images }: ChatServer, at: string): void {
  if (!Array.isArray(content)) {
    demandText(content, at);
    return;
  }
  const parts = list(content, at);
  demand(parts.length > 0, `${at} is empty`);
  for (const part of parts) {
    if (part.type === 'text') demandText(part.text, at);
    else {
      demand(part.type === 'image_url' && images, `${at} has a part ${part.type}`);
      demandImageUrl(fields(part.image_url, at).url, at);
    }
  }
}

function checkAssistant(message: Fields, calls: Calls, server: ChatServer, at: string): void {
  demandOnly(message, `role content tool_calls ${server.echoes ?? ''}`, at);
  const { content } = message;
  const isText = content === null || typeof content === 'string';
  demand(isText || (server.thinkingParts === true && Array.isArray(content)), `${at}.content is no text`);
  if (message.tool_calls === undefined) {
    if (isText) demandText(content, at);
    return;
  }
  const made = list(message.tool_calls, `${at}.tool_calls`);
  demand(made.length > 0, `${at}.tool_calls is empty`);
  for (const call of made) checkCall(call, calls, server, at);
}

function checkCall(call: Fields, calls: Calls, { echoes }: ChatServer, at: string): void {
  demandOnly(call, `id type function ${echoes ?? ''}`, at);
  const { name, arguments: written } = fields(call.function, `${at} function`);
  demandToolName(name, at);
  demand(typeof written === 'string', `${at} has arguments that are no text`);
  fields(JSON.parse(written), `${at} arguments`);
  demandWellFormed(JSON.parse(written), `${at} arguments`);
  calls.called({ id: String(call.id), kind: 'tool' });
}
