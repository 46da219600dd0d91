import { createParser } from 'eventsource-parser';

export interface ServerSentEvent {
  /** Empty where the server names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * The events of a `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html), comments left out.
 * The last one counts also without the blank line behind it, which some servers leave out: whoever reads it has to notice
 * that it was cut.
 */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let ready: ServerSentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = '', data }) => ready.push({ event, data }),
  });
  const take = (text: string) => {
    ready = [];
    parser.feed(text);
    return ready;
  };
  for await (const bytes of body) yield* take(decoder.decode(bytes, { stream: true }));
  yield* take(`${decoder.decode()}\n\n`);
}
