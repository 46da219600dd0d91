import * as http from 'node:http';
import * as https from 'node:https';

/** Milliseconds of silence before TCP keep-alive checks whether the other machine is still there. */
const PROBE_MS = 60_000;

/** Connections to this machine never use a proxy, even if the environment sets one. */
const direct = { 'http:': new http.Agent(), 'https:': new https.Agent() };

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Statuses whose response has no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304]);

/**
 * `fetch` for servers that run a model on this machine or nearby. It waits for headers and body without a
 * time limit; Node's own `fetch` gives up after 300 s of silence. Aborting the signal closes the socket at
 * any moment. Does not follow redirects.
 */
export const fetchWithProbes: typeof fetch = async (input, init) => {
  const request = await read(new Request(input, { ...init, signal: null }));
  const signal = init?.signal ?? undefined;
  signal?.throwIfAborted();
  return send(request, signal);
};

interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

async function read(request: Request): Promise<PlainRequest> {
  const headers = Object.fromEntries(request.headers);
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { url: new URL(request.url), method: request.method, headers, body };
}

function send({ url, method, headers, body }: PlainRequest, signal: AbortSignal | undefined) {
  return new Promise<Response>((resolve, reject) => {
    const { request, agent } = transportOf(url);
    const sent = request(url, { method, headers, agent });
    const abort = () => sent.destroy(reasonOf(signal));
    signal?.addEventListener('abort', abort, { once: true });
    sent.on('close', () => signal?.removeEventListener('abort', abort));
    sent.on('error', (cause) => reject(signal?.aborted ? cause : failed(cause)));
    sent.on('response', (message) => {
      try {
        resolve(toResponse(message, signal));
      } catch (cause) {
        reject(failed(cause));
        sent.destroy();
      }
    });
    sent.setSocketKeepAlive(true, PROBE_MS);
    sent.end(body);
  });
}

function transportOf({ protocol, hostname }: URL) {
  const isLocal = LOOPBACK.test(hostname);
  return protocol === 'https:'
    ? { request: https.request, agent: isLocal ? direct['https:'] : undefined }
    : { request: http.request, agent: isLocal ? direct['http:'] : undefined };
}

function toResponse(message: http.IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  if (BODILESS.has(status)) {
    message.resume();
    return new Response(null, { status, statusText, headers });
  }
  return new Response(bodyOf(message, signal), { status, statusText, headers });
}

/**
 * If the signal ended the response, the stream fails with the signal's reason. Canceling the stream closes
 * the socket.
 */
function bodyOf(message: http.IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const pieces = message[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(signal?.aborted ? signal.reason : cause);
      }
    },
    cancel: () => void message.destroy(),
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('aborted');
}

/** Builds the error that Node's `fetch` rejects with. Its cause has the system's error code. */
function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}
