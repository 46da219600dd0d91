// How a blob lies in its file: a byte that says how, then the bytes themselves or what they are beside another blob.
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { createDelta } from './byte-delta.ts';

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

const DEFLATED = 1;
const DELTA = 2;
const HASH_BYTES = 32;

/** A file below this size takes a block of the disk, however it is kept. */
const SMALL = 4_096;
/** How many blobs are read for one at most; it has one byte. Of 1,000 versions, 4 are kept whole. */
const MAX_DEPTH = 250;

export interface Base {
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** How many blobs it takes to read it, besides its own. */
  readonly depth: number;
}

export interface Frame {
  /** The bytes, or the delta beside blob `base`. */
  readonly content: Uint8Array;
  readonly base?: string;
  readonly depth: number;
}

/** What is written for `bytes`, and `depth` as `Base`'s: as a delta beside `base` where that is much smaller. */
export async function packBlob(
  bytes: Uint8Array,
  base: Base | undefined,
): Promise<{ readonly frame: Uint8Array; readonly depth: number }> {
  const isDelta = base && base.depth < MAX_DEPTH && bytes.length > SMALL;
  const delta = isDelta ? createDelta(base.bytes, bytes) : undefined;
  if (!base || !delta || delta.length > bytes.length / 4)
    return { frame: await pack(0, [], bytes), depth: 0 };
  const depth = base.depth + 1;
  return { frame: await pack(DELTA, [Uint8Array.of(depth), Buffer.from(base.hash, 'hex')], delta), depth };
}

/** Throws or rejects with any error where this is no frame. */
export async function unpackBlob(frame: Uint8Array): Promise<Frame> {
  const [kind = -1, depth = 0] = frame;
  const isDelta = (kind & DELTA) !== 0;
  const rest = frame.subarray(isDelta ? 2 + HASH_BYTES : 1);
  if (kind < 0 || kind > (DELTA | DEFLATED)) throw new Error(`a blob of an unknown kind: ${kind}`);
  const content = kind & DEFLATED ? await expand(rest) : rest;
  if (!isDelta) return { content, depth: 0 };
  return { content, depth, base: Buffer.from(frame.subarray(2, 2 + HASH_BYTES)).toString('hex') };
}

async function pack(kind: number, head: readonly Uint8Array[], content: Uint8Array): Promise<Uint8Array> {
  const deflated = content.length > 0 ? await compress(content) : content;
  const isSmaller = deflated.length < content.length;
  const first = Uint8Array.of(kind | (isSmaller ? DEFLATED : 0));
  return Buffer.concat([first, ...head, isSmaller ? deflated : content]);
}
