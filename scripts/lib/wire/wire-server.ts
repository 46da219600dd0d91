// A model API's HTTP side on 127.0.0.1: answers with given bytes, as slowly and as badly as one wants.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A piece of a body, sent when its time has come. */
export interface Chunk {
  readonly delayMs: number;
  readonly data: string;
  /** It waits for this too. */
  readonly until?: Promise<unknown>;
}

/** One answer: its bytes and how the connection ends. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (Chunk | { readonly delayMs: number; readonly dataB64: string })[];
  readonly close: 'end' | 'hang' | 'reset';
  /** No headers before the first chunk is due. */
  readonly delayHeaders?: boolean;
}

/** A file of test/fixtures: one answer for every request, or one after the other, the last one again and again. */
export interface Fixture extends Exchange {
  readonly exchanges?: readonly Exchange[];
}

export interface RecordedRequest<Body = unknown> {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  /** Undefined for a request without one. */
  readonly body: Body;
  /** The client's, which tells connections apart. */
  readonly port: number | undefined;
  /** The client went away before the answer was complete. */
  disconnected: boolean;
}

export interface WireServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
  /** Listens again, at the same address, after `close`. */
  reopen(): Promise<void>;
}

/** `onFailure` hears what went wrong in `answer`; a client may well go away before it has sent everything. */
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

/** Plays a fixture for every POST, whatever its path, and records them; a GET gets the fitting one of `lists`, or 404. */
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

/** A whole answer of JSON, or of a text. */
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
