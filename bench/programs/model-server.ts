// A Messages API on 127.0.0.1, in a process and with a clock of its own: asks for `turns` reads of one file, then says
// that it is done, and notes how long the client took from the end of each reply to its next request.
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

let turns = 0;
let requests = 0;
/** Milliseconds of `performance.now()`. */
let replied = 0;
let gaps: number[] = [];
/** Of the first request, on the clock that all processes of a machine share, in nanoseconds. */
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

/** A request has arrived. */
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
    event('content_block_stop', { index: 1 }),
  ]);
}

const lastReply = message('end_turn', textBlock(0, ['I have ', 'read it.']));

function textBlock(index: number, pieces: readonly string[]): string[] {
  return [
    event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    ...pieces.map((piece) =>
      event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
    ),
    event('content_block_stop', { index }),
  ];
}

function message(stop: string, blocks: readonly string[]): string {
  const usage = { input_tokens: 100, output_tokens: 1 };
  const start = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench', content: [], usage };
  return [
    event('message_start', { message: start }),
    ...blocks,
    event('message_delta', {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: 40 },
    }),
    event('message_stop', {}),
  ].join('');
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
