// The files of test/fixtures: what a server sends, and what has to come of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange, Fixture } from '../../../scripts/lib/wire/wire-server.ts';

export interface NeutralEvent {
  readonly type: string;
  readonly optional?: boolean;
  readonly [field: string]: unknown;
}

export interface WireFixture extends Fixture {
  readonly case: string;
  readonly id: string;
  readonly purpose: string;
  readonly abortAfterChunk?: number;
  readonly given?: {
    readonly toolResults?: Readonly<Record<string, { content: string; isError: boolean }>>;
    readonly each?: readonly {
      status: number;
      type: string;
      message: string;
      /** In the place of an error of `type` with `message`. */
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
      kind: string;
      retryable: boolean;
      retryAfterMs?: number;
    }[];
    readonly userSays?: string;
  };
  readonly expect: {
    readonly events: readonly NeutralEvent[];
    readonly history?: { readonly append?: readonly { role: string; content: unknown }[] };
  };
}

const FOLDER = join(import.meta.dirname, '../../fixtures');

/** All of one protocol, by their numbers. */
export function loadFixtures(protocol: string): readonly WireFixture[] {
  const folder = join(FOLDER, protocol);
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

export function findFixture(fixtures: readonly WireFixture[], id: string): WireFixture {
  const found = fixtures.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no fixture ${id}.`);
  return found;
}

export function bytesOf(exchange: Exchange): Uint8Array[] {
  return exchange.chunks.map((chunk) =>
    'data' in chunk ? new TextEncoder().encode(chunk.data) : Buffer.from(chunk.dataB64, 'base64'),
  );
}

/** A fetch without sockets: answers with these bytes, in these pieces. */
export function answering(
  exchange: Pick<Exchange, 'status' | 'headers' | 'close'>,
  chunks: readonly Uint8Array[],
): typeof fetch {
  return async (_input, init) => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason), { once: true });
      },
      pull: (controller) => {
        const chunk = chunks[next++];
        if (chunk) return controller.enqueue(chunk);
        if (exchange.close === 'reset') return controller.error(connectionReset());
        if (exchange.close === 'end') return controller.close();
        return new Promise(() => {});
      },
    });
    return new Response(body, { status: exchange.status, headers: exchange.headers });
  };
}

/** What Node's fetch throws. */
export function connectionReset(): Error {
  return new TypeError('terminated', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
}
