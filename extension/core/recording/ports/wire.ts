import type { Clock } from '../../ports/clock.ts';
import type { Wire } from '../../ports/model.ts';
import { nothing, type PortInterceptor } from '../port-interceptor.ts';

/** Headers that identify the user. They are not recorded. */
const SECRET = /^(set-cookie|cookie|authorization|x-api-key|api-key|x-goog-api-key|openai-organization)$/i;

/** A recorded answer. Its body is recorded in pieces. */
interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: AsyncIterable<Uint8Array> | undefined;
}

/** Intercepts a wire. The recording has only the method and the address of a request. */
export function interceptWire(wire: Wire, exchange: PortInterceptor): Wire {
  return {
    clock: interceptClock(wire.clock, exchange, 'wire.'),
    fetch: async (input, init) => {
      const method = init?.method ?? 'GET';
      const url = input instanceof Request ? input.url : String(input);
      const make = async () => toAnswer(await wire.fetch(input, init));
      const answer = await exchange.call('wire.fetch', [method, url], make, { coding });
      return toResponse(answer, exchange);
    },
  };
}

const coding = {
  toPlain: ({ body, ...head }: Answer) => ({ ...head, hasBody: body !== undefined }),
  fromPlain: (plain: unknown): Answer => {
    // Written by `toPlain`.
    const { hasBody, ...head } = plain as Omit<Answer, 'body'> & { readonly hasBody: boolean };
    return { ...head, body: hasBody ? nothing() : undefined };
  },
};

function toAnswer({ status, statusText, headers, body }: Response): Answer {
  const safe = [...headers].filter(([name]) => !SECRET.test(name));
  return { status, statusText, headers: safe, body: body ? piecesOf(body) : undefined };
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
}

function toResponse({ status, statusText, headers, body }: Answer, exchange: PortInterceptor): Response {
  const stream = body && streamOf(exchange.stream('wire.body', [], () => body));
  return new Response(stream ?? null, {
    status,
    statusText,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

/** Reads a piece only when the consumer asks for one. */
function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Intercepts a clock. `whose` is a prefix that distinguishes this clock from others in the recording. */
export function interceptClock(clock: Clock, exchange: PortInterceptor, whose = ''): Clock {
  return {
    now: () => exchange.read(`${whose}now`, () => clock.now()),
    // A replay needs no precision beyond thousandths of a millisecond.
    monotonic: () => exchange.read(`${whose}monotonic`, () => Math.round(clock.monotonic() * 1000) / 1000),
    sleep: (ms, signal) => exchange.call(`${whose}clock.sleep`, [ms], () => clock.sleep(ms, signal)),
    yield: () => exchange.call(`${whose}clock.yield`, [], () => clock.yield()),
  };
}
