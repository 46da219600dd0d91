// A Messages API on 127.0.0.1: plays a fixture, or a script whose requests it checks as the real one would.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagesRequest, prefixOf, violationOf } from './anthropic-rules.ts';
import {
  type Chunk,
  completeBlocks,
  renderReply,
  type ScriptedReply,
  stopReason,
} from './anthropic-script.ts';

/** One answer of a fixture: its bytes and how the connection ends. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (Chunk | { readonly delayMs: number; readonly dataB64: string })[];
  readonly close: 'end' | 'hang' | 'reset';
  /** No headers before the first chunk is due. */
  readonly delayHeaders?: boolean;
}

/** A file of test/fixtures/anthropic: one answer for every request, or one after the other, the last one again and again. */
export interface Fixture extends Exchange {
  readonly exchanges?: readonly Exchange[];
}

/** Gives the reply to the request number `index` (from 0) of those that were not refused. */
export type Script = (request: MessagesRequest, index: number) => ScriptedReply;

interface RecordedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  readonly body: MessagesRequest;
  /** The client's, which tells connections apart. */
  readonly port: number | undefined;
  /** The client went away before the answer was complete. */
  disconnected: boolean;
}

export interface FakeAnthropic {
  /** The base URL for the provider. */
  readonly url: string;
  /** Requests for messages, also refused ones. */
  readonly requests: readonly RecordedRequest[];
  /** What the API had to refuse, in its words; a test that scripts a good client expects none. */
  readonly violations: readonly string[];
  /** What comes next may begin otherwise than the last request of its conversation, which was forked. */
  forget(): void;
  /** Ends all connections. */
  close(): Promise<void>;
  /** Listens again, at the same address, after `close`. */
  reopen(): Promise<void>;
}

export interface FakeOptions {
  /** Any other key gets 401, with a message that quotes the wrong one. */
  readonly apiKey?: string;
  /** What `GET /v1/models` lists. */
  readonly models?: readonly object[];
}

type Answer = (request: RecordedRequest) => Exchange;

export function playFixture(fixture: Fixture, options: FakeOptions = {}): Promise<FakeAnthropic> {
  const exchanges = fixture.exchanges ?? [fixture];
  let index = 0;
  return start(() => exchanges[Math.min(index++, exchanges.length - 1)] ?? fixture, [], options);
}

/**
 * Each request is checked first. A request that breaks a rule of the API is answered with 400, and so is one that does
 * not begin like the last request of the same conversation; conversations are told apart by their first block.
 */
export function playScript(script: Script, options: FakeOptions = {}): Promise<FakeAnthropic> {
  const violations: string[] = [];
  const last = new Map<string, { request: MessagesRequest; paused: boolean }>();
  const signed = new Map<string, { json: string; request: MessagesRequest }>();
  let index = 0;
  const answer: Answer = ({ raw, body }) => {
    const key = `${body.tools?.length ?? 0} ${prefixOf(body)[2]}`;
    const known = last.get(key);
    const violation = violationOf(raw, { last: known?.request, paused: known?.paused ?? false, signed });
    if (violation !== undefined) {
      violations.push(violation);
      return refusal(400, 'invalid_request_error', violation);
    }
    const reply = script(body, index++);
    if (reply.status !== undefined) return plain(reply.status, reply.body, reply.headers);
    const blocks = completeBlocks(reply, prefixOf(body).join('\n'));
    for (const block of blocks) {
      const signature = block.signature ?? block.data;
      const issued = { json: JSON.stringify(block), request: body };
      if (signature && !signed.has(String(signature))) signed.set(String(signature), issued);
    }
    if (isWhole(reply)) last.set(key, { request: body, paused: reply.stop_reason === 'pause_turn' });
    return stream(reply, renderReply(reply, blocks, body.model));
  };
  return start(answer, violations, options, () => last.clear());
}

/** The client keeps this reply, so its next request has to begin like the one that was answered. */
function isWhole(reply: ScriptedReply): boolean {
  return !reply.error && stopReason(reply) !== 'refusal' && (reply.close ?? 'end') === 'end';
}

function stream(reply: ScriptedReply, chunks: readonly Chunk[]): Exchange {
  const [first, ...rest] = chunks;
  const delayed = first ? [{ ...first, delayMs: reply.headersDelayMs ?? 0 }, ...rest] : [];
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers },
    chunks: delayed,
    close: reply.close ?? 'end',
    delayHeaders: true,
  };
}

function refusal(status: number, type: string, message: string): Exchange {
  return plain(status, { type: 'error', error: { type, message }, request_id: 'req_fake' });
}

function plain(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Exchange {
  const data = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks: [{ delayMs: 0, data }],
    close: 'end',
  };
}

async function start(
  answer: Answer,
  violations: string[],
  options: FakeOptions,
  forget = () => {},
): Promise<FakeAnthropic> {
  const requests: RecordedRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const raw = await readBody(request);
    const refused = unauthorized(request, options);
    if (refused) return await send(refused, response);
    if (request.method === 'GET' && request.url?.startsWith('/v1/models')) {
      return await send(plain(200, { data: options.models ?? [], has_more: false }), response);
    }
    if (request.method !== 'POST' || request.url !== '/v1/messages') {
      return await send(refusal(404, 'not_found_error', 'Not found'), response);
    }
    const recorded: RecordedRequest = {
      headers: request.headers,
      raw,
      body: JSON.parse(raw),
      port: request.socket.remotePort,
      disconnected: false,
    };
    requests.push(recorded);
    response.on('close', () => {
      recorded.disconnected = !response.writableFinished;
    });
    await send(answer(recorded), response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A client may well go away before it has sent everything.
      if (request.complete) violations.push(`The fake failed: ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    violations,
    forget,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
    reopen: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };
}

function unauthorized({ headers }: IncomingMessage, { apiKey }: FakeOptions): Exchange | undefined {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (given && (apiKey === undefined || given === apiKey)) return undefined;
  return refusal(401, 'authentication_error', `invalid x-api-key: ${given}`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function send(exchange: Exchange, response: ServerResponse): Promise<void> {
  response.writeHead(exchange.status, exchange.headers);
  if (!exchange.delayHeaders) response.flushHeaders();
  for (const chunk of exchange.chunks) {
    if (chunk.delayMs > 0) await sleep(chunk.delayMs, undefined, { ref: false });
    if ('until' in chunk) await chunk.until;
    if (response.destroyed) return;
    const bytes = 'data' in chunk ? Buffer.from(chunk.data) : Buffer.from(chunk.dataB64, 'base64');
    await new Promise((resolve) => response.write(bytes, resolve));
  }
  if (exchange.close === 'end') response.end();
  if (exchange.close === 'reset') response.socket?.resetAndDestroy();
}
