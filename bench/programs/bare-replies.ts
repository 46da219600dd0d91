// A minimal reader of replies: the official SDK if there is one, else `fetch`, the events or lines of its
// body, and `JSON.parse` of each.
import { Anthropic } from '@anthropic-ai/sdk/client';
import { createParser } from 'eventsource-parser';
import type { ProtocolName } from './reply-streams.ts';

type Read = (url: string, model: string) => Promise<string>;

/** The text of a reply. */
export const bareReplies: Readonly<Record<ProtocolName, Read>> = {
  anthropic: async (baseURL, model) => {
    const client = new Anthropic({ baseURL, apiKey: 'bench', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'q' }];
    const stream = await client.messages.create({ model, max_tokens: 4096, stream: true, messages });
    let reply = '';
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        reply += event.delta.text;
    }
    return reply;
  },
  codex: (url, model) => readEvents(`${url}/responses`, { model }, responseText),
  openai: (url, model) => readEvents(`${url}/chat/completions`, { model }, chatText),
  ollama: (url, model) => readLines(`${url}/api/chat`, { model }),
};

interface ResponseEvent {
  readonly type: string;
  readonly delta: string;
}

function responseText({ type, delta }: ResponseEvent): string {
  return type === 'response.output_text.delta' ? delta : '';
}

interface ChatChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

function chatText({ choices }: ChatChunk): string {
  return choices[0]?.delta.content ?? '';
}

async function readEvents<Event>(
  url: string,
  body: object,
  textOf: (event: Event) => string,
): Promise<string> {
  let reply = '';
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') reply += textOf(JSON.parse(data));
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of await post(url, body)) parser.feed(decoder.decode(bytes, { stream: true }));
  return reply;
}

async function readLines(url: string, body: object): Promise<string> {
  let reply = '';
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of await post(url, body)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) reply += JSON.parse(line).message.content;
  }
  return reply;
}

async function post(url: string, body: object): Promise<ReadableStream<Uint8Array>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.body) throw new Error(`${url} answered nothing.`);
  return response.body;
}
