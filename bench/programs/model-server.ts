// A Messages API on 127.0.0.1, in its own process with its own clock. Requests `turns` reads of one file,
// then ends the answer. Records the time from the end of each reply to the client's next request.
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { blockStop, event, messageEnd, messageStart, textDelta, textStart } from './messages-stream.ts';

let turns = 0;
let requests = 0;
/** Milliseconds of `performance.now()`. */
let replied = 0;
let gaps: number[] = [];
/** The time of the first request in nanoseconds, on the clock that all processes of a machine share. */
let arrived = 0n;

const server = createServer(async (request, response) => {
  if (request.url === '/v1/messages') {
    note();
    await text(request);
    reply(response);
  } else if (request.url === '/noted') {
    response.end(JSON.stringify({ gaps, arrived: String(arrived) }));
  } else {
    begin(Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('turns')));
    response.end();
  }
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on ${address?.port}`);
});

function begin(count: number): void {
  turns = count;
  requests = 0;
  gaps = [];
}

/** Call when a request has arrived. */
function note(): void {
  if (requests === 0) arrived = process.hrtime.bigint();
  else gaps.push(Number((performance.now() - replied).toFixed(3)));
  requests += 1;
}

function reply(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const body = requests <= turns ? readReply(requests) : lastReply;
  replied = performance.now();
  response.end(body);
}

function readReply(turn: number): string {
  return message('tool_use', [
    ...textBlock(0, ['I read the file ', 'once more, ', 'to see what it says.']),
    event('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: `toolu_${turn}`, name: 'read', input: {} },
    }),
    ...['{"path": ', '"small', '.txt"}'].map((partial_json) =>
      event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json } }),
    ),
    blockStop(1),
  ]);
}

const lastReply = message('end_turn', textBlock(0, ['I have ', 'read it.']));

function textBlock(index: number, pieces: readonly string[]): string[] {
  return [textStart(index), ...pieces.map((piece) => textDelta(index, piece)), blockStop(index)];
}

function message(stop: string, blocks: readonly string[]): string {
  return [messageStart(), ...blocks, messageEnd(stop)].join('');
}
