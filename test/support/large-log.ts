// A log of any size, written without holding it.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LOG_VERSION } from '../../extension/protocol/events.ts';

export interface LargeLog {
  readonly id: string;
  /** Texts of the model. */
  readonly messages: number;
  /** Characters of each. */
  readonly length: number;
  /** Characters of one tool's answer, in the middle. */
  readonly longest: number;
  /** Texts after the first prompt and between two compactions; without it there is none. */
  readonly compactEvery?: number;
}

/** Of 6 MB, of which the newest 2 MB are whole once it is opened: it gets an index. */
export const INDEXED: LargeLog = {
  id: '20260101000000-long',
  messages: 1_000,
  length: 6_000,
  longest: 10,
  compactEvery: 900,
};

const PIECE = 'All work and no play. '.repeat(10_000);

/** Writes the session below `root`. Its last event is a prompt. */
export async function writeLargeLog(root: string, log: LargeLog): Promise<void> {
  await mkdir(join(root, log.id), { recursive: true });
  await pipeline(piecesOf(log), createWriteStream(join(root, log.id, 'events.jsonl')));
}

function* piecesOf(log: LargeLog): Generator<string> {
  const chain = new Chain(log.id);
  yield* chain.line('"type":"session_started"', `"version":${LOG_VERSION},"cwd":"/repo","product":"test"`);
  yield* chain.line('"type":"user"', '"content":"The first prompt"');
  for (let count = 1; count <= log.messages; count += 1) {
    if (count % 10 === 1)
      yield* chain.line(
        '"type":"request_started"',
        `"request":${count},"provider":"anthropic","model":"test"`,
      );
    yield* chain.line('"type":"text"', `"content":"${textOf(count, log.length)}"`);
    if (count === Math.ceil(log.messages / 2)) yield* chain.call(log.longest);
    if (log.compactEvery !== undefined && count % log.compactEvery === 0)
      yield* chain.line('"type":"compaction"', `"summary":"So far","through":${chain.seq}`);
  }
  yield* chain.line('"type":"user"', '"content":"The last prompt"');
}

/** What message `count` says; its beginning and its end are its own. */
export function textOf(count: number, length: number): string {
  const name = `message ${count}`;
  const room = Math.max(0, length - 2 * name.length - 2);
  return `${name} ${PIECE.slice(0, room).padEnd(room, '.')} ${name}`;
}

class Chain {
  seq = 0;
  #hash = '';

  constructor(readonly session: string) {}

  *call(length: number): Generator<string> {
    yield* this.line('"type":"tool_call"', '"id":"long","name":"bash","input":{"command":"cat everything"}');
    const start = '"id":"long","isError":false,"result":"{\\"stdout\\":\\"';
    yield* this.line('"type":"tool_result"', start, ...answer(length), '\\"}"');
  }

  *line(type: string, ...fields: readonly string[]): Generator<string> {
    this.seq += 1;
    const hash = createHash('sha256');
    const place = `,"timestamp":${this.seq},"session":"${this.session}","seq":${this.seq},"prev":"${this.#hash}"}`;
    for (const piece of [`{${type},`, ...fields, place]) {
      hash.update(piece);
      yield piece;
    }
    this.#hash = hash.digest('hex');
    yield '\n';
  }
}

function answer(length: number): string[] {
  const pieces = Array.from({ length: Math.floor(length / PIECE.length) }, () => PIECE);
  return [...pieces, PIECE.slice(0, length % PIECE.length)];
}
