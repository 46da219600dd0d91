// The HTTP side of a model API on 127.0.0.1. Answers with given bytes, with configurable delays and failures.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A chunk of a body, and the delay before it is sent. */
export interface Chunk {
  readonly delayMs: number;
  readonly data: string;
  /** The chunk waits for this, too. */
  readonly until?: Promise<unknown>;
}

/** One response: its bytes, and how the connection ends. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (Chunk | { readonly delayMs: number; readonly dataB64: string })[];
  readonly close: 'end' | 'hang' | 'reset';
  /** Sends no headers before the first chunk is due. */
  readonly delayHeaders?: boolean;
}

/** A file of test/fixtures: one response for every request, or a sequence whose last response repeats. */
export interface Fixture extends Exchange {
  readonly exchanges?: readonly Exchange[];
}

export interface RecordedRequest<Body = unknown> {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  /** Undefined for a request without a body. */
  readonly body: Body;
  /** The client's port, which identifies the connection. */
  readonly port: number | undefined;
  /** The client disconnected before the response was complete. */
  disconnected: boolean;
}

export interface WireServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
  /** Listens at the same address again, after `close`. */
  reopen(): Promise<void>;
}

/** `onFailure` gets the errors of `answer`. A client may disconnect before it has sent the whole request. */
export async function startWireServer(
  answer: (request: RecordedRequest) => Exchange,
  onFailure: (error: unknown) => void,
): Promise<WireServer> {
  const server = createServer((request, response) => {
    serve(answer, request, response).catch((error: unknown) => {
      if (request.complete) onFailure(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
    reopen: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };
}

/**
 * Plays a fixture for every POST to any path, and records the requests. A GET gets the matching one of
 * `lists`, or 404.
 */
export async function playBytes(
  fixture: Fixture,
  lists: Readonly<Record<string, unknown>> = {},
): Promise<WireServer & { readonly requests: readonly RecordedRequest[] }> {
  const exchanges = fixture.exchanges ?? [fixture];
  const requests: RecordedRequest[] = [];
  const server = await startWireServer(
    (request) => {
      if (request.method === 'GET') return listOf(lists, request.path);
      const exchange = exchanges[Math.min(requests.length, exchanges.length - 1)] ?? fixture;
      requests.push(request);
      return exchange;
    },
    () => {},
  );
  return { ...server, requests };
}

function listOf(lists: Readonly<Record<string, unknown>>, path: string): Exchange {
  return Object.hasOwn(lists, path) ? plain(200, lists[path]) : plain(404, { error: 'not found' });
}

/** A complete response of JSON or text. */
export function plain(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Exchange {
  const data = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks: [{ delayMs: 0, data }],
    close: 'end',
  };
}

async function serve(
  answer: (request: RecordedRequest) => Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const raw = await readBody(request);
  const recorded: RecordedRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    raw,
    body: raw === '' ? undefined : JSON.parse(raw),
    port: request.socket.remotePort,
    disconnected: false,
  };
  response.on('close', () => {
    recorded.disconnected = !response.writableFinished;
  });
  await send(answer(recorded), response);
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
