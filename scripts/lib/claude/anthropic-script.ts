// The replies of a scripted Claude, and their bytes: the events of a Messages stream.
import { createHash } from 'node:crypto';
import type { Chunk } from '../wire/wire-server.ts';

type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  /** Without `signature`, one is generated that binds the block to the request, like a real one. */
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'server_tool_use'; readonly id: string; readonly name: string; readonly input: object }
  /** A string as `input` is sent unchanged, even if it is not JSON. Without `id`, one is generated. */
  | {
      readonly type: 'tool_use';
      readonly id?: string;
      readonly name: string;
      readonly input: object | string;
    };

export interface ScriptedReply {
  readonly blocks?: readonly ReplyBlock[];
  /** By default `tool_use` or `end_turn`, depending on the blocks. */
  readonly stop_reason?: string;
  /** Fields of the wire's `usage` that the script sets. */
  readonly usage?: Readonly<Record<string, number>>;
  /** Characters per delta. By default, a block is one delta. */
  readonly chunkSize?: number;
  /** Milliseconds before each delta. */
  readonly delayMs?: number;
  /** All deltas but the first `after` wait for `until`. */
  readonly hold?: { readonly after: number; readonly until: Promise<unknown> };
  /** Milliseconds before the headers. */
  readonly headersDelayMs?: number;
  /** How the connection ends after the reply. `hang` and `reset` omit `message_stop`. */
  readonly close?: 'end' | 'hang' | 'reset';
  /** An error event instead of the end of the message. */
  readonly error?: { readonly type: string; readonly message: string };
  /** A response that is not a stream. Its body is sent as JSON, or unchanged if it is a string. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A block as the API sends it. */
export type WireBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * The reply's blocks, with generated values for everything that the script omits. `seed` stands for the
 * request; equal seeds give equal blocks.
 */
export function completeBlocks(reply: ScriptedReply, seed: string): WireBlock[] {
  return (reply.blocks ?? []).map((block, index) => {
    const hash = createHash('sha256')
      .update(`${seed}${index}${JSON.stringify(block)}`)
      .digest('base64url');
    if (block.type === 'thinking') {
      return { type: block.type, thinking: block.thinking, signature: block.signature ?? `Eq${hash}` };
    }
    if (block.type === 'tool_use') {
      return {
        type: block.type,
        id: block.id ?? `toolu_${hash.slice(0, 24)}`,
        name: block.name,
        input: block.input,
      };
    }
    return block;
  });
}

export function stopReason(reply: ScriptedReply): string {
  const calls = reply.blocks?.some(({ type }) => type === 'tool_use');
  return reply.stop_reason ?? (calls ? 'tool_use' : 'end_turn');
}

/** The stream of a reply. */
export function renderReply(reply: ScriptedReply, blocks: readonly WireBlock[], model: string): Chunk[] {
  const written = JSON.stringify(blocks).length;
  const usage = {
    input_tokens: 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const final = { ...usage, output_tokens: Math.ceil(written / 4), ...reply.usage };
  const message = {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
  };
  return [
    sse('message_start', { message: { ...message, usage: { ...usage, ...reply.usage } } }),
    ...held(
      blocks.flatMap((block, index) => renderBlock(reply, block, index)),
      reply.hold,
    ),
    ...renderEnd(reply, final),
  ];
}

function held(chunks: readonly Chunk[], hold: ScriptedReply['hold']): readonly Chunk[] {
  const isDelta = ({ data }: Chunk) => data.startsWith('event: content_block_delta');
  const first = hold && chunks.filter(isDelta)[hold.after];
  return chunks.map((chunk) => (hold && chunk === first ? { ...chunk, until: hold.until } : chunk));
}

function renderEnd(reply: ScriptedReply, usage: object): Chunk[] {
  if (reply.error) return [sse('error', { error: reply.error })];
  if (reply.close === 'hang' || reply.close === 'reset') return [];
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  return [sse('message_delta', { delta, usage }), sse('message_stop', {})];
}

function renderBlock(reply: ScriptedReply, block: WireBlock, index: number): Chunk[] {
  const deltas = deltasOf(block, reply.chunkSize ?? Number.POSITIVE_INFINITY);
  return [
    sse('content_block_start', { index, content_block: emptied(block) }),
    ...deltas.map((delta) => sse('content_block_delta', { index, delta }, reply.delayMs)),
    sse('content_block_stop', { index }),
  ];
}

/** The block as it appears in `content_block_start`. */
function emptied(block: WireBlock): object {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
}

function deltasOf(block: WireBlock, size: number): object[] {
  const { type, text, thinking, signature, input } = block;
  if (type === 'text')
    return pieces(String(text), size).map((piece) => ({ type: 'text_delta', text: piece }));
  if (type === 'thinking') {
    const thoughts = pieces(String(thinking), size).map((piece) => ({
      type: 'thinking_delta',
      thinking: piece,
    }));
    return [...thoughts, { type: 'signature_delta', signature }];
  }
  if (type !== 'tool_use') return [];
  const json = typeof input === 'string' ? input : JSON.stringify(input);
  return pieces(json, size).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function pieces(text: string, size: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; start += size) found.push(text.slice(start, start + size));
  return found;
}

function sse(type: string, fields: object, delayMs = 0): Chunk {
  return { delayMs, data: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n` };
}
