import { link, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../core/ports/blob-store.ts';
import { versionOf } from '../core/tools/version.ts';
import { say } from '../protocol/say.ts';
import { type Base, packBlob, unpackBlob } from './blob-frame.ts';
import { applyDelta } from './byte-delta.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { makeFolder } from './make-folder.ts';
import { syncDirectory } from './rename-into-place.ts';
import { replaceFile } from './replace-file.ts';

/** Bytes that are kept in memory, so that the next version of a file needs no reading of the last one. */
const RECENT_BYTES = 8_000_000;

/**
 * Blobs as files of one folder, each under its name. One may be kept as a delta beside another (`blob-frame.ts`), so none
 * is deleted alone. They are written in one step and never changed, and may have other names (a fork links them).
 */
export class BlobFiles implements BlobStore {
  readonly #folder: string;
  readonly #recent = new Map<string, Base>();
  /** Written or read by this process. */
  readonly #sound = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(bytes: Uint8Array, like?: string): Promise<string> {
    const hash = versionOf(bytes);
    const isThere = await this.has(hash);
    if (isThere && (this.#sound.has(hash) || (await this.#isSound(hash)))) return hash;
    // What replaces a damaged one is kept whole: others may be deltas beside it.
    await this.#write(hash, bytes, isThere ? undefined : like);
    return hash;
  }

  async get(hash: string): Promise<Uint8Array> {
    return (await this.#load(hash)).bytes;
  }

  async has(hash: string): Promise<boolean> {
    return (await ifPresent(stat(this.#pathOf(hash)))) !== undefined;
  }

  /** Writes those again that are not there any more and still in memory. Resolves with the others that are not there. */
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
   * Takes blobs over from the folder of another session, with all that they are deltas beside; those that are not there are
   * left out. The others are on the disk then.
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

  /** Rejects where it is not there or damaged. */
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
    const bytes = deltas.reduce(applyDelta, frame.content);
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
    ? say('The kept version {0} of a file is no longer there.', hash.slice(0, 12))
    : say('The kept version {0} of a file is damaged.', hash.slice(0, 12));
}
