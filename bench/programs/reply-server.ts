// The four protocols on 127.0.0.1, in a process of its own. A model's name tells how many pieces its reply has:
// `gpt-5.6-10000` says ten thousand, as fast as they are read.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ProtocolName, replyBody } from './reply-streams.ts';

const PATHS: Readonly<Record<string, ProtocolName>> = {
  '/v1/messages': 'anthropic',
  '/responses': 'codex',
  '/chat/completions': 'openai',
  '/api/chat': 'ollama',
};

const bodies = new Map<string, Buffer>();

function bodyOf(protocol: ProtocolName, deltas: number): Buffer {
  const key = `${protocol} ${deltas}`;
  const body = bodies.get(key) ?? replyBody(protocol, deltas);
  bodies.set(key, body);
  return body;
}

const server = createServer(async (request, response) => {
  const protocol = PATHS[request.url ?? ''];
  const asked = await text(request);
  if (!protocol) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    return;
  }
  const [, deltas] = /"model":"[^"]*-(\d+)"/.exec(asked) ?? [];
  const type = protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream; charset=utf-8';
  response.writeHead(200, { 'content-type': type }).end(bodyOf(protocol, Number(deltas)));
});

// A client that has been busy for a while finds its connection as it left it.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on ${address?.port}`);
});
