// A minimal agent loop: the official SDK's raw stream, and a `read` tool.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Anthropic } from '@anthropic-ai/sdk/client';
import type {
  MessageParam,
  RawMessageStreamEvent,
  Tool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';

export interface LoopOptions {
  readonly baseURL: string;
  readonly folder: string;
  readonly prompt: string;
  readonly onText: (text: string) => void;
}

const read: Tool = {
  name: 'read',
  description: 'Reads a text file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** Resolves when the model requests no more calls. */
export async function runLoop({ baseURL, folder, prompt, onText }: LoopOptions): Promise<void> {
  const client = new Anthropic({ baseURL, apiKey: 'bench', maxRetries: 0 });
  const messages: MessageParam[] = [{ role: 'user', content: prompt }];
  while (messages.at(-1)?.role === 'user') {
    const stream = await client.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4096,
      stream: true,
      tools: [read],
      messages,
    });
    const reply = await collect(stream, onText);
    messages.push({ role: 'assistant', content: reply });
    const calls = reply.filter((block) => block.type === 'tool_use');
    const results: ToolResultBlockParam[] = [];
    for (const call of calls) results.push(await execute(call, folder));
    if (results.length > 0) messages.push({ role: 'user', content: results });
  }
}

type ReplyBlock = { type: 'text'; text: string } | ToolUseBlockParam;

async function collect(
  stream: AsyncIterable<RawMessageStreamEvent>,
  onText: LoopOptions['onText'],
): Promise<ReplyBlock[]> {
  const blocks: ReplyBlock[] = [];
  let json = '';
  for await (const event of stream) {
    const block = blocks.at(-1);
    if (event.type === 'content_block_start') {
      const { content_block: started } = event;
      json = '';
      if (started.type === 'text') blocks.push({ type: 'text', text: '' });
      if (started.type === 'tool_use')
        blocks.push({ type: 'tool_use', id: started.id, name: started.name, input: {} });
    } else if (event.type === 'content_block_delta') {
      if (event.delta.type === 'text_delta' && block?.type === 'text') {
        block.text += event.delta.text;
        onText(event.delta.text);
      }
      if (event.delta.type === 'input_json_delta') json += event.delta.partial_json;
    } else if (event.type === 'content_block_stop' && block?.type === 'tool_use') {
      block.input = JSON.parse(json);
    }
  }
  return blocks;
}

async function execute({ id, input }: ToolUseBlockParam, folder: string): Promise<ToolResultBlockParam> {
  // The bench's server requests only `read`.
  const { path } = input as { path: string };
  return { type: 'tool_result', tool_use_id: id, content: await readFile(join(folder, path), 'utf8') };
}
