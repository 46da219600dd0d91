// What the Responses API demands of a request (https://platform.openai.com/docs/api-reference/responses/create).
import {
  Calls,
  demand,
  demandOnly,
  demandText,
  demandTools,
  demandWellFormed,
  type Fields,
  fields,
  list,
  violationIn,
} from './rule.ts';

const FIELDS =
  'model instructions stream store prompt_cache_key max_output_tokens include reasoning text tools tool_choice parallel_tool_calls input';

export function responsesViolation(body: unknown): string | undefined {
  return violationIn(() => {
    const request = fields(body, 'the request');
    demandOnly(request, FIELDS, 'the request');
    demandWellFormed(request);
    demand(request.store === false && request.stream === true, 'it is kept, or does not stream');
    demand(Number(request.max_output_tokens) >= 16, 'max_output_tokens is below 16');
    demandTools(
      list(request.tools ?? [], 'tools')
        .filter(isFunction)
        .map(toTool),
    );
    checkInput(list(request.input, 'input'));
  });
}

const isFunction = ({ type }: Fields) => type === 'function';

function toTool({ name, parameters }: Fields) {
  return { name, schema: parameters };
}

/** "Reasoning was provided without its required following item": these can follow. */
const FOLLOWS_REASONING = /^(reasoning|function_call|custom_tool_call|web_search_call|compaction)$/;

function checkInput(items: readonly Fields[]): void {
  demand(items.length > 0, 'there is no input');
  const calls = new Calls(/^[a-zA-Z0-9_-]{1,64}$/);
  items.forEach((item, index) => {
    const at = `input[${index}]`;
    demand(!/^(rs|fc|ctc|msg)_/.test(String(item.id ?? '')), `${at} names an item that was not kept`);
    checkItem(item, calls, at);
    if (item.type !== 'reasoning') return;
    const next = items[index + 1];
    const isAnswer = next?.type === 'message' && next.role === 'assistant';
    demand(isAnswer || FOLLOWS_REASONING.test(String(next?.type)), `${at} is reasoning without what follows`);
  });
  calls.settled('the end');
  const last = items.at(-1);
  demand(last?.role !== 'assistant', 'the last word is the model’s own');
}

function checkItem(item: Fields, calls: Calls, at: string): void {
  const id = String(item.call_id);
  switch (item.type) {
    case 'message':
      checkMessage(item, calls, at);
      break;
    case 'function_call':
      demandOnly(item, 'type call_id name arguments', at);
      demand(typeof item.arguments === 'string', `${at}.arguments is no text`);
      fields(JSON.parse(item.arguments), `${at}.arguments`);
      calls.called({ id, kind: 'function' });
      break;
    case 'custom_tool_call':
      demandOnly(item, 'type call_id name input', at);
      demand(typeof item.input === 'string', `${at}.input is no text`);
      calls.called({ id, kind: 'custom' });
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      demandText(item.output, `${at}.output`);
      calls.answered({ id, kind: item.type === 'function_call_output' ? 'function' : 'custom' });
      break;
    case 'reasoning':
      demandText(item.encrypted_content, `${at}.encrypted_content`);
      break;
  }
}

const PARTS: Readonly<Record<string, RegExp>> = {
  user: /^input_(text|image)$/,
  developer: /^input_text$/,
  assistant: /^output_text$/,
};

function checkMessage(item: Fields, calls: Calls, at: string): void {
  demandOnly(item, 'type role content phase', at);
  const allowed = PARTS[String(item.role)];
  demand(allowed !== undefined, `${at} has the role ${item.role}`);
  if (item.role !== 'assistant') calls.settled(at);
  demand(item.phase === undefined || /^(commentary|final_answer)$/.test(String(item.phase)), `${at}.phase`);
  const parts = list(item.content, `${at}.content`);
  demand(parts.length > 0, `${at} is empty`);
  for (const part of parts) {
    demand(allowed.test(String(part.type)), `${at} has a part ${part.type}`);
    if (part.type === 'input_image') demandImageUrl(part.image_url, at);
    else demandText(part.text, at);
  }
}

/** As Chat Completions has it too. */
export function demandImageUrl(url: unknown, at: string): void {
  const isData =
    typeof url === 'string' && /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url);
  demand(isData, `${at} has an image without data`);
}
