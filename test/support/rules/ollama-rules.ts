// What Ollama demands of a request (https://docs.ollama.com/api/chat), and what an agent has to ask it for.
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

const FIELDS = 'model stream think keep_alive truncate shift options tools messages';

export function ollamaViolation(body: unknown, sees: boolean): string | undefined {
  return violationIn(() => {
    const request = fields(body, 'the request');
    demandOnly(request, FIELDS, 'the request');
    demandWellFormed(request);
    demand(request.truncate === false && request.shift === false, 'the prompt may be cut without a word');
    demand(Number(fields(request.options, 'options').num_ctx) > 0, 'the window is left to the server');
    const tools = list(request.tools ?? [], 'tools').map((tool) => fields(tool.function, 'a tool'));
    demandTools(tools.map(({ name, parameters }) => ({ name, schema: parameters })));
    checkMessages(list(request.messages, 'messages'), sees);
  });
}

function checkMessages(messages: readonly Fields[], sees: boolean): void {
  const calls = new Calls(/^.+$/s);
  /** Of the reply before, in their order, until they are answered. */
  let names: readonly unknown[] = [];
  demand(
    messages.some(({ role }) => role === 'user'),
    'there is no prompt',
  );
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    if (message.role === 'tool') {
      demandOnly(message, 'role content tool_name tool_call_id', at);
      demandText(message.content, at);
      demand(message.tool_name === names[0], `${at} answers ${message.tool_name}, not ${names[0]}`);
      names = names.slice(1);
      calls.answered({ id: String(message.tool_call_id), kind: 'tool' });
      return;
    }
    calls.settled(at);
    names = checkSaid(message, calls, sees, at);
  });
  calls.settled('the end');
  demand(messages.at(-1)?.role !== 'assistant', 'the last word is the model’s own');
}

/** Gives the names of the tools that were called. */
function checkSaid(message: Fields, calls: Calls, sees: boolean, at: string): readonly unknown[] {
  if (message.role !== 'assistant') {
    demandOnly(message, 'role content images', at);
    demand(message.role === 'user' || at === 'messages[0]', `${at} has the role ${message.role}`);
    if (message.images === undefined) demandText(message.content, at);
    else checkImages(message.images, sees, at);
    return [];
  }
  demandOnly(message, 'role content thinking tool_calls', at);
  demand(typeof message.content === 'string', `${at}.content is no text`);
  const made = list(message.tool_calls ?? [], `${at}.tool_calls`);
  if (made.length === 0) demandText(message.content, at);
  return made.map((call) => {
    const { name, arguments: input } = fields(call.function, `${at} function`);
    demandToolName(name, at);
    fields(input, `${at} arguments`);
    calls.called({ id: String(call.id), kind: 'tool' });
    return name;
  });
}

function checkImages(images: unknown, sees: boolean, at: string): void {
  demand(sees && Array.isArray(images) && images.length > 0, `${at} has images for a model that sees none`);
  for (const image of images as unknown[]) {
    demand(
      typeof image === 'string' && /^[A-Za-z0-9+/]+=*$/.test(image),
      `${at} has an image with more than data`,
    );
  }
}
