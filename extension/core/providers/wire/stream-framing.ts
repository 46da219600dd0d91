import { createParser } from 'eventsource-parser';

export interface ServerSentEvent {
  /** Empty where the server names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * What the events of a `text/event-stream` are as pieces (https://html.spec.whatwg.org/multipage/server-sent-events.html),
 * those that arrived together in one list, comments left out. The last one counts also without the blank line behind it,
 * which some servers leave out: whoever reads it has to notice that it was cut.
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
  toPiece: (event: ServerSentEvent) => string,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let ready: string[] = [];
  const parser = createParser({
    onEvent: ({ event = '', data }) => ready.push(toPiece({ event, data })),
  });
  const take = (text: string) => {
    ready = [];
    parser.feed(text);
    return ready;
  };
  for await (const bytes of body) yield take(decoder.decode(bytes, { stream: true }));
  yield take(`${decoder.decode()}\n\n`);
}

/**
 * The lines of a body of newline-delimited JSON, those that arrived together in one list, without empty ones; the last one
 * counts also without its newline.
 */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const bytes of body) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = [...begun, lines[0]].join('');
      begun = [];
      yield lines.filter(isWritten);
    }
    begun.push(rest);
  }
  yield [[...begun, decoder.decode()].join('')].filter(isWritten);
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}
