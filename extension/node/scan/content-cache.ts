import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { asWorkspaceErrors } from '../fs/file-errors.ts';
import { withOwnerAccess } from '../fs/with-permissions.ts';
import { BytePack, type KeptBytes } from './byte-pack.ts';
import { isUntouched } from './compare-walks.ts';
import type { Found } from './walk.ts';

/** The content of a larger file is not kept in case that a command changes it. Bytes. */
const MAX_FILE = 5_000_000;
/** Quicker read at once than by another thread. Bytes. */
const SMALL = 100_000;
/** What files may take that no command has changed yet: the rest is for the next versions of those that one has. */
const FIRST_SHARE = 0.8;
/** Of no use any more: as much as this is worth beginning anew. */
const WASTE = 0.1;

/** What files hold, in case that a command changes them. */
export class ContentCache {
  readonly #home: string;
  readonly #maxBytes: () => number;
  /** Paths that commands have changed, and are likely to change again. */
  readonly #likely = new Set<string>();
  #pack: Promise<BytePack> | undefined;
  #retired: BytePack | undefined;

  constructor(home: string, maxBytes: () => number) {
    this.#home = home;
    this.#maxBytes = maxBytes;
  }

  /** Where they lie now, to be read later. */
  pack(): Promise<BytePack> {
    // A disk that took nothing may take it the next time.
    this.#pack ??= BytePack.open(this.#home, this.#maxBytes()).catch((error: unknown) => {
      this.#pack = undefined;
      throw error;
    });
    return this.#pack;
  }

  expect(paths: Iterable<string>): void {
    for (const path of paths) this.#likely.add(path);
  }

  /** What lies at `path` is kept; `old` is what is kept of it from before. Undefined where it is not. */
  async keep(path: string, found: Found, old: Found | undefined): Promise<KeptBytes | undefined> {
    if (!isWorthKeeping(found)) return undefined;
    const pack = await this.pack();
    const room = this.#maxBytes() * (this.#likely.has(path) ? 1 : FIRST_SHARE);
    if (!old?.kept && pack.size + found.size > room) return undefined;
    const bytes = found.size < SMALL ? readSmall(path) : await readFile(path).catch(() => undefined);
    if (!bytes) return isUntouched(old, found) ? old?.kept : undefined;
    if (old?.kept?.length === bytes.length && (await isKept(old, bytes, pack))) return old.kept;
    // It may have grown.
    return pack.size + bytes.length <= room ? pack.add(bytes) : undefined;
  }

  /** It is nearly full, and much in it is of no use any more beside the `used` bytes. */
  async isWasted(used: () => number): Promise<boolean> {
    const { size } = await this.pack();
    const max = this.#maxBytes();
    return size > max * (1 - WASTE) && size - used() > max * WASTE;
  }

  /** Begins anew. Who has just asked for the pack may still read from it. */
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

/** Whether it is these bytes that were kept. What cannot be read back was not kept: then size and time have to do. */
async function isKept(old: Found, bytes: Uint8Array, pack: BytePack): Promise<boolean> {
  const kept = old.kept && (await pack.get(old.kept).catch(() => undefined));
  if (!kept) old.kept = undefined;
  return kept !== undefined && Buffer.compare(kept, bytes) === 0;
}

export function isWorthKeeping({ isMade, size }: Found): boolean {
  return !isMade && size <= MAX_FILE;
}

/** Of what a command has left, which may be closed to its owner. Rejects where it cannot be read. */
export function readNow(path: string): Promise<Uint8Array> {
  return withOwnerAccess([path], () => asWorkspaceErrors(path, readFile(path)));
}

/** The SHA-256 of the same, hex, without its bytes in memory. */
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
    return undefined; // gone meanwhile, or not ours to read
  }
}
