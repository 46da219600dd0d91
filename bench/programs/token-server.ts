// A Messages API on 127.0.0.1, in a separate process, that answers on demand. /asked responds when a request
// waits for its answer. /say?tokens=2000&rate=200&end=Words continues the answer with this many tokens per
// second, or as fast as they are read. It responds with the time when the last token, those words, is
// written. /finish ends the answer.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { richTokens } from '../../test/support/rich-markdown.ts';
import { blockStop, messageEnd, messageStart, textDelta, textStart } from './messages-stream.ts';

/** Milliseconds. */
const TICK = 5;
/** Tokens per write if there is no rate. */
const TOGETHER = 100;

let answer = Promise.withResolvers<ServerResponse>();

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname === '/v1/messages') {
    await text(request);
    begin(response);
    return;
  }
  const open = await answer.promise;
  if (pathname === '/say') {
    const tokens = [...richTokens(Number(searchParams.get('tokens'))), searchParams.get('end') ?? ''];
    await say(open, tokens, Number(searchParams.get('rate') ?? Number.POSITIVE_INFINITY));
  } else if (pathname === '/finish') {
    finish(open);
  }
  response.end(String(performance.timeOrigin + performance.now()));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on ${address?.port}`);
});

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(messageStart() + textStart(0));
  answer.resolve(response);
}

function finish(response: ServerResponse): void {
  answer = Promise.withResolvers();
  response.end(blockStop(0) + messageEnd('end_turn'));
}

/** @param rate tokens a second */
async function say(response: ServerResponse, tokens: readonly string[], rate: number): Promise<void> {
  const started = performance.now();
  let written = 0;
  while (written < tokens.length) {
    const due = Math.floor(((performance.now() - started) * rate) / 1_000);
    const next = tokens.slice(written, Math.min(due, written + TOGETHER));
    written += next.length;
    if (next.length === 0) await sleep(TICK);
    else if (!response.write(next.map((token) => textDelta(0, token)).join('')))
      await once(response, 'drain');
  }
}
