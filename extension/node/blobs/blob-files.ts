import { link, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { versionOf } from '../../core/base/content-hash.ts';
import type { BlobStore } from '../../core/ports/blob-store.ts';
import { say } from '../../protocol/say.ts';
import { errorCode, ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { syncDirectory } from '../fs/rename-into-place.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { applyByteDelta, createByteDelta } from './byte-delta.ts';

/**
 * Limit for the recent blobs in memory, in bytes. They save a read of the previous version when the next
 * version of a file is stored.
 */
const RECENT_BYTES = 8_000_000;

/**
 * Stores blobs as files of one folder, each named by its hash. A blob may be a delta against another one
 * (`packBlob`), so none may be deleted alone. A blob file is written in one step and never changed. It may
 * have other names, because a fork links it.
 */
export class BlobFiles implements BlobStore {
  readonly #folder: string;
  readonly #recent = new Map<string, Base>();
  /** Hashes of the blobs that this process has written or read, and that are therefore undamaged. */
  readonly #sound = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(bytes: Uint8Array, like?: string): Promise<string> {
    const hash = versionOf(bytes);
    const isThere = await this.has(hash);
    if (isThere && (this.#sound.has(hash) || (await this.#isSound(hash)))) return hash;
    // Stores the replacement of a damaged blob whole, because other blobs may be deltas against it.
    await this.#write(hash, bytes, isThere ? undefined : like);
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    return (await this.#load(hash)).bytes;
  }

  async has(hash: string): Promise<boolean> {
    return (await ifPresent(stat(this.#pathOf(hash)))) !== undefined;
  }

  /**
   * Writes missing blobs again that are still in memory. Resolves with the hashes of the other missing ones.
   */
  async regain(hashes: Iterable<string>): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const hash of hashes) {
      if (await this.has(hash)) continue;
      const recent = this.#recent.get(hash);
      if (recent) await this.put(recent.bytes);
      else lost.push(hash);
    }
    return lost;
  }

  /**
   * Links or copies blobs from the folder of another session, with all blobs that they are deltas against.
   * Skips missing ones. Resolves after the others are on the disk.
   */
  async adopt(hashes: Iterable<string>, folder: string): Promise<void> {
    const wanted = [...hashes];
    for (let hash = wanted.pop(); hash !== undefined; hash = wanted.pop()) {
      const frame = (await this.has(hash)) ? undefined : await ifPresent(readFile(join(folder, hash)));
      if (!frame) continue;
      await makeFolder(this.#folder);
      await link(join(folder, hash), this.#pathOf(hash)).catch(() => replaceFile(this.#pathOf(hash), frame));
      const { base } = await unpackBlob(frame).catch(() => ({ base: undefined }));
      if (base) wanted.push(base);
    }
    await syncDirectory(this.#folder);
  }

  async #write(hash: string, bytes: Uint8Array, like: string | undefined): Promise<void> {
    const base =
      like !== undefined && (await this.has(like)) && (await this.#load(like).catch(() => undefined));
    await makeFolder(this.#folder);
    const { frame, depth } = await packBlob(bytes, base || undefined);
    await replaceFile(this.#pathOf(hash), frame);
    this.#remember({ hash, bytes: new Uint8Array(bytes), depth });
  }

  async #isSound(hash: string): Promise<boolean> {
    return this.#load(hash).then(
      () => true,
      () => false,
    );
  }

  /** Rejects where the blob is missing or damaged. */
  async #load(hash: string): Promise<Base> {
    const recent = this.#recent.get(hash);
    if (recent) return recent;
    const blob = await this.#read(hash).catch((error) => {
      throw new Error(whyUnreadable(hash, error), { cause: error });
    });
    this.#remember(blob);
    return blob;
  }

  async #read(hash: string): Promise<Base> {
    const deltas: Uint8Array[] = [];
    let frame = await unpackBlob(await readFile(this.#pathOf(hash)));
    const { depth } = frame;
    for (; frame.base !== undefined && deltas.length < depth; frame = await this.#frameOf(frame.base))
      deltas.unshift(frame.content);
    const bytes = deltas.reduce(applyByteDelta, frame.content);
    if (versionOf(bytes) !== hash) throw new Error('the bytes are not those that were kept');
    return { hash, bytes, depth };
  }

  async #frameOf(hash: string) {
    const recent = this.#recent.get(hash);
    if (recent) return { content: recent.bytes, depth: 0 };
    return unpackBlob(await readFile(this.#pathOf(hash)));
  }

  #remember(blob: Base): void {
    this.#sound.add(blob.hash);
    this.#recent.delete(blob.hash);
    this.#recent.set(blob.hash, blob);
    let size = [...this.#recent.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const [hash, { bytes }] of this.#recent) {
      if (size <= RECENT_BYTES) return;
      this.#recent.delete(hash);
      size -= bytes.length;
    }
  }

  #pathOf(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`no name of a blob: ${hash}`);
    return join(this.#folder, hash);
  }
}

function whyUnreadable(hash: string, error: unknown): string {
  return errorCode(error) === 'ENOENT'
    ? say('The stored file version {0} no longer exists.', hash.slice(0, 12))
    : say('The stored file version {0} is damaged.', hash.slice(0, 12));
}

// The format of a blob file. The first byte holds the flags `DEFLATED` and `DELTA`. A delta adds its depth
// (one byte) and the hash of its base (32 bytes). The rest is the content: the bytes themselves, or the
// delta.

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

const DEFLATED = 1;
const DELTA = 2;
const HASH_BYTES = 32;

/** In bytes. A smaller file takes one block of the disk in any form. */
const SMALL = 4_096;
/**
 * The most blobs that are read to build one; the depth has one byte. Of 1,000 versions, 4 are stored whole.
 */
const MAX_DEPTH = 250;

export interface Base {
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** How many other blobs must be read to build this one. */
  readonly depth: number;
}

interface Frame {
  /** The bytes, or the delta against blob `base`. */
  readonly content: Uint8Array;
  readonly base?: string;
  readonly depth: number;
}

/**
 * Returns the frame to write for `bytes`: a delta against `base` where that is much smaller. `depth` is as in
 * `Base`.
 */
export async function packBlob(
  bytes: Uint8Array,
  base: Base | undefined,
): Promise<{ readonly frame: Uint8Array; readonly depth: number }> {
  const isDelta = base && base.depth < MAX_DEPTH && bytes.length > SMALL;
  const delta = isDelta ? createByteDelta(base.bytes, bytes) : undefined;
  if (!base || !delta || delta.length > bytes.length / 4)
    return { frame: await pack(0, [], bytes), depth: 0 };
  const depth = base.depth + 1;
  return { frame: await pack(DELTA, [Uint8Array.of(depth), Buffer.from(base.hash, 'hex')], delta), depth };
}

/** Rejects, with any error, where this is no valid frame. */
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
