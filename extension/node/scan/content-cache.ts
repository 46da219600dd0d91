import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { asWorkspaceErrors } from '../fs/file-errors.ts';
import { withOwnerAccess } from '../fs/with-permissions.ts';
import { BytePack, type KeptBytes } from './byte-pack.ts';
import { isUntouched } from './compare-walks.ts';
import type { WalkEntry } from './walk.ts';

/** Bytes. The cache does not store the content of a larger file. */
const MAX_FILE = 5_000_000;
/** Bytes. A smaller file is read faster synchronously than by another thread. */
const SMALL = 100_000;
/**
 * Share of the room for files that no command has changed yet. The rest is for the next versions of changed
 * files.
 */
const FIRST_SHARE = 0.8;
/** Share of the room whose waste justifies a new pack. */
const WASTE = 0.1;

/** Stores the contents of files in case a command changes them. */
export class ContentCache {
  readonly #home: string;
  readonly #maxBytes: () => number;
  /** Paths that commands have changed and will probably change again. */
  readonly #likely = new Set<string>();
  #pack: Promise<BytePack> | undefined;
  #retired: BytePack | undefined;

  constructor(home: string, maxBytes: () => number) {
    this.#home = home;
    this.#maxBytes = maxBytes;
  }

  /** The current pack, from which the caller can read contents later. */
  pack(): Promise<BytePack> {
    // The next call tries again, because the disk may take it then.
    this.#pack ??= BytePack.open(this.#home, this.#maxBytes()).catch((error: unknown) => {
      this.#pack = undefined;
      throw error;
    });
    return this.#pack;
  }

  expect(paths: Iterable<string>): void {
    for (const path of paths) this.#likely.add(path);
  }

  /**
   * Stores the content of the file at `path`; `old` is its previous state. Resolves with undefined if the
   * content is not stored.
   */
  async keep(path: string, found: WalkEntry, old: WalkEntry | undefined): Promise<KeptBytes | undefined> {
    if (!isWorthKeeping(found)) return undefined;
    const pack = await this.pack();
    const room = this.#maxBytes() * (this.#likely.has(path) ? 1 : FIRST_SHARE);
    if (!old?.kept && pack.size + found.size > room) return undefined;
    const bytes = found.size < SMALL ? readSmall(path) : await readFile(path).catch(() => undefined);
    if (!bytes) return isUntouched(old, found) ? old?.kept : undefined;
    if (old?.kept?.length === bytes.length && (await isKept(old, bytes, pack))) return old.kept;
    // The file may have grown since the check above.
    return pack.size + bytes.length <= room ? pack.add(bytes) : undefined;
  }

  /**
   * Whether the pack is nearly full and much of it is no longer used. `used` returns the number of bytes in
   * use.
   */
  async isWasted(used: () => number): Promise<boolean> {
    const { size } = await this.pack();
    const max = this.#maxBytes();
    return size > max * (1 - WASTE) && size - used() > max * WASTE;
  }

  /**
   * Starts a new pack. Keeps the previous one open, because a recent caller of `pack` may still read from it.
   */
  async renew(): Promise<void> {
    await this.#retired?.close();
    this.#retired = await this.#pack;
    this.#pack = undefined;
  }

  async close(): Promise<void> {
    await (await this.#pack)?.close();
    await this.#retired?.close();
    this.#pack = undefined;
    this.#retired = undefined;
  }
}

/**
 * Whether the cache stored exactly these bytes. If it cannot read them back, clears `old.kept`; `isSame` then
 * compares size and times.
 */
async function isKept(old: WalkEntry, bytes: Uint8Array, pack: BytePack): Promise<boolean> {
  const kept = old.kept && (await pack.get(old.kept).catch(() => undefined));
  if (!kept) old.kept = undefined;
  return kept !== undefined && Buffer.compare(kept, bytes) === 0;
}

export function isWorthKeeping({ isMade, size }: WalkEntry): boolean {
  return !isMade && size <= MAX_FILE;
}

/**
 * Reads a file that a command left, even if its mode denies the owner access. Rejects if the file cannot be
 * read.
 */
export function readNow(path: string): Promise<Uint8Array> {
  return withOwnerAccess([path], () => asWorkspaceErrors(path, readFile(path)));
}

/** SHA-256 (hex) of such a file, computed without its bytes in memory. */
export function hashNow(path: string): Promise<string> {
  return withOwnerAccess([path], () => asWorkspaceErrors(path, hashOf(path)));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

function readSmall(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // the file is gone, or Harness may not read it
  }
}
