import { createParser } from 'eventsource-parser';

export interface ServerSentEvent {
  /** Empty if the server names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Parses a `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html). Yields what
 * arrived together in one list, without comments. The last event counts even without its final blank line,
 * which some servers omit. So the caller must detect a cut event.
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
 * Parses newline-delimited JSON. Yields the lines that arrived together in one list, without empty ones. The
 * last line counts even without its newline.
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
