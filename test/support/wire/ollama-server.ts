// Ollama's server, as far as an agent asks it.
import {
  plain,
  type RecordedRequest,
  startWireServer,
  type WireServer,
} from '../../../scripts/lib/wire/wire-server.ts';

/** A line of a reply; `rest` is what stands beside the message. */
export function line(message: object, rest: object = { done: false }): string {
  return `${JSON.stringify({ model: 'qwen3', message: { role: 'assistant', content: '', ...message }, ...rest })}\n`;
}

/** Beside the last message. */
export const DONE = { done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 12 };

/** The same of a prompt that was in the cache, however long. */
export const DONE_CACHED = { done: true, done_reason: 'stop', eval_count: 12 };

/** What a current server tells of a model that can do everything. */
export const SHOWN = {
  capabilities: ['completion', 'tools', 'thinking', 'vision'],
  details: { family: 'qwen3' },
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
};

export interface OllamaServer extends WireServer {
  /** Those to `/api/chat`. */
  readonly chats: readonly RecordedRequest[];
}

/** Has one model, `qwen3:latest`, with these replies, one after the other. */
export async function startOllama(...replies: readonly string[]): Promise<OllamaServer> {
  const chats: RecordedRequest[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    '/api/tags': { models: [{ name: 'qwen3:latest' }] },
    '/api/ps': { models: [] },
    '/api/show': SHOWN,
  };
  const server = await startWireServer((request) => {
    if (request.path !== '/api/chat') return plain(200, answers[request.path]);
    chats.push(request);
    return plain(200, replies[chats.length - 1] ?? line({}, DONE), {
      'content-type': 'application/x-ndjson',
    });
  }, console.error);
  return { ...server, chats };
}
