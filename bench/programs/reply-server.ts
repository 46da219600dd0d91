// The four protocols on 127.0.0.1, in a separate process. A model's name gives the number of pieces in its
// reply: `gpt-5.6-10000` sends ten thousand, as fast as they are read.
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

// The connection of a busy client must stay open.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on ${address?.port}`);
});
