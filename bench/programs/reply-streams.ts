// One text reply in each protocol's format, with everything that servers add to each piece.
import { richTokens } from '../../test/support/rich-markdown.ts';
import { blockStop, messageEnd, messageStart, textDelta, textStart } from './messages-stream.ts';

export const PROTOCOLS = ['anthropic', 'codex', 'openai', 'ollama'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

interface Writer {
  readonly begin: string;
  readonly delta: (text: string, index: number) => string;
  readonly end: (text: string) => string;
}

/** The whole body of a reply with this many pieces. */
export function replyBody(protocol: ProtocolName, deltas: number): Buffer {
  const tokens = richTokens(deltas);
  const { begin, delta, end } = WRITERS[protocol];
  return Buffer.from([begin, ...tokens.map(delta), end(tokens.join(''))].join(''));
}

const MODEL = 'bench';
const MESSAGE = 'msg_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071';

const anthropic: Writer = {
  begin: messageStart() + textStart(0),
  delta: (text) => textDelta(0, text),
  end: () => blockStop(0) + messageEnd('end_turn'),
};

const codex: Writer = {
  begin: responseEvent('response.output_item.added', {
    output_index: 0,
    item: { id: MESSAGE, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
  }),
  delta: (delta, index) =>
    responseEvent('response.output_text.delta', {
      ...{ sequence_number: index, item_id: MESSAGE, output_index: 0, content_index: 0 },
      ...{ delta, logprobs: [], obfuscation: 'k3J9xQ2mZ7' },
    }),
  end: (text) => {
    const content = [{ type: 'output_text', text, annotations: [] }];
    const item = { id: MESSAGE, type: 'message', status: 'completed', role: 'assistant', content };
    const usage = { input_tokens: 100, output_tokens: 40, total_tokens: 140 };
    const response = { id: 'resp_bench', status: 'completed', output: [item], usage };
    return (
      responseEvent('response.output_item.done', { output_index: 0, item }) +
      responseEvent('response.completed', { response })
    );
  },
};

function responseEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const openai: Writer = {
  begin: chatChunk({ role: 'assistant', content: '' }, null),
  delta: (content) => chatChunk({ content }, null),
  end: () => `${chatChunk({}, 'stop')}data: [DONE]\n\n`,
};

function chatChunk(delta: object, finish_reason: string | null): string {
  const about = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_790_000_000 };
  const choice = { index: 0, delta, logprobs: null, finish_reason };
  const chunk = { ...about, model: MODEL, system_fingerprint: 'fp_bench', choices: [choice], usage: null };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

const ollama: Writer = {
  begin: '',
  delta: (text) => ollamaLine(text, { done: false }),
  end: () => ollamaLine('', { done: true, done_reason: 'stop', prompt_eval_count: 100, eval_count: 40 }),
};

function ollamaLine(content: string, rest: object): string {
  const message = { role: 'assistant', content };
  return `${JSON.stringify({ model: MODEL, created_at: '2026-11-21T10:00:00.123456Z', message, ...rest })}\n`;
}

const WRITERS: Readonly<Record<ProtocolName, Writer>> = { anthropic, codex, openai, ollama };
