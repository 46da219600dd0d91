import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { fetchWithProbes } from '../../../extension/node/fetch.ts';
import { type Exchange, plain, playBytes, startWireServer } from '../../../scripts/lib/wire/wire-server.ts';
import { makeGate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

async function serve(exchange: Exchange) {
  const server = await playBytes(exchange);
  onTestFinished(() => server.close());
  return server;
}

/** Node's own fetch keeps its dispatcher here, and makes it with its first use. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Makes Node's own fetch as impatient as it can be, until the test is over. */
async function loseNodesPatience(): Promise<void> {
  await fetch('data:,').then((response) => response.text());
  const kept: unknown = Reflect.get(globalThis, DISPATCHER);
  // Node's own class, of which no module is there to import.
  const Agent = (kept as object).constructor as new (options: object) => object;
  Reflect.set(globalThis, DISPATCHER, new Agent({ headersTimeout: 1, bodyTimeout: 1 }));
  onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, kept));
}

test('It waits where Node’s own fetch has given up: for the headers', async () => {
  await loseNodesPatience();
  const gate = makeGate();
  const slow = { delayMs: 0, data: 'late', until: gate.opened };
  const server = await serve({ ...plain(200, ''), chunks: [slow], delayHeaders: true });
  const patient = fetchWithProbes(server.url, { method: 'POST', body: '{}' });
  await expect(fetch(server.url, { method: 'POST', body: '{}' })).rejects.toMatchObject({
    cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
  });
  gate.open();
  expect(await (await patient).text()).toBe('late');
});

test('It waits where Node’s own fetch has given up: in the body', async () => {
  await loseNodesPatience();
  const gate = makeGate();
  const chunks = [
    { delayMs: 0, data: 'early, ' },
    { delayMs: 0, data: 'late', until: gate.opened },
  ];
  const server = await serve({ ...plain(200, ''), chunks });
  const patient = await fetchWithProbes(server.url, { method: 'POST', body: '{}' });
  const own = fetch(server.url, { method: 'POST', body: '{}' }).then((response) => response.text());
  await expect(own).rejects.toMatchObject({ cause: { code: 'UND_ERR_BODY_TIMEOUT' } });
  gate.open();
  expect(await patient.text()).toBe('early, late');
});

test('A silent server: an abort before the headers closes the socket', async () => {
  const server = await serve({ ...plain(200, ''), chunks: [], close: 'hang', delayHeaders: true });
  const abort = new AbortController();
  const asked = fetchWithProbes(server.url, { method: 'POST', body: '{}', signal: abort.signal });
  await until(() => server.requests.length === 1);
  abort.abort();
  await expect(asked).rejects.toBe(abort.signal.reason);
  await until(() => server.requests[0]?.disconnected === true);
});

test('A silent server: an abort in the body closes the socket', async () => {
  const server = await serve({ ...plain(200, ''), chunks: [{ delayMs: 0, data: 'half' }], close: 'hang' });
  const abort = new AbortController();
  const response = await fetchWithProbes(server.url, { method: 'POST', body: '{}', signal: abort.signal });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('half');
  const next = reader?.read();
  abort.abort();
  await expect(next).rejects.toBe(abort.signal.reason);
  await until(() => server.requests[0]?.disconnected === true);
});

test('Whoever stops reading closes the socket', async () => {
  const server = await serve({ ...plain(200, ''), chunks: [{ delayMs: 0, data: 'half' }], close: 'hang' });
  const response = await fetchWithProbes(server.url, { method: 'POST', body: '{}' });
  await response.body?.cancel();
  await until(() => server.requests[0]?.disconnected === true);
});

test('A signal that is aborted already sends nothing', async () => {
  const server = await serve(plain(200, 'ok'));
  const signal = AbortSignal.abort();
  await expect(fetchWithProbes(server.url, { method: 'POST', signal })).rejects.toBe(signal.reason);
  expect(server.requests).toEqual([]);
});

test('Method, headers and body go out, and the answer’s come back', async () => {
  const server = await serve({
    ...plain(418, 'née'),
    headers: { 'x-answer': 'yes', 'content-type': 'text/plain' },
  });
  const body = '{"text":"ü"}';
  const response = await fetchWithProbes(`${server.url}/api/chat?a=b`, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
    body,
  });
  expect(server.requests).toMatchObject([
    { method: 'POST', path: '/api/chat?a=b', raw: body, headers: { authorization: 'Bearer x' } },
  ]);
  expect(response.status).toBe(418);
  expect(response.headers.get('x-answer')).toBe('yes');
  expect(await response.text()).toBe('née');
});

test('A redirect is the answer, and is not followed', async () => {
  const server = await serve({ ...plain(307, ''), headers: { location: '/elsewhere' } });
  const response = await fetchWithProbes(server.url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(307);
  expect(server.requests).toHaveLength(1);
});

test('An answer without a body', async () => {
  const server = await startWireServer(
    () => ({ ...plain(204, ''), chunks: [] }),
    () => {},
  );
  onTestFinished(() => server.close());
  const response = await fetchWithProbes(server.url);
  expect([response.status, response.body]).toEqual([204, null]);
});

test('A connection that is reset in the body is an error with its code', async () => {
  const server = await serve({ ...plain(200, ''), chunks: [{ delayMs: 0, data: 'half' }], close: 'reset' });
  const response = await fetchWithProbes(server.url, { method: 'POST', body: '{}' });
  await expect(response.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('A server that is not there is an error with its code', async () => {
  const server = await serve(plain(200, ''));
  await server.close();
  const asked = fetchWithProbes(server.url);
  await expect(asked).rejects.toBeInstanceOf(TypeError);
  await expect(asked).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('A proxy for everything else is not asked for a server on this machine', async () => {
  const server = await serve(plain(200, 'near'));
  const proxy = await serve(plain(200, 'far'));
  const kept = http.globalAgent;
  onTestFinished(() => {
    http.globalAgent = kept;
  });
  // Newer than the types: https://nodejs.org/docs/latest-v24.x/api/http.html#built-in-proxy-support
  const options: http.AgentOptions & { proxyEnv: object } = { proxyEnv: { HTTP_PROXY: proxy.url } };
  http.globalAgent = new http.Agent(options);
  expect(await (await fetchWithProbes(server.url, { method: 'POST' })).text()).toBe('near');
  expect(proxy.requests).toEqual([]);
  const elsewhere = await fetchWithProbes('http://model.example/', { method: 'POST' });
  expect(await elsewhere.text()).toBe('far');
});
