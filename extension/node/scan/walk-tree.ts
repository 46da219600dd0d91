// What lies in the folders of a workspace, as the system tells of it: read in slices, so that the window stays alive.
import { type BigIntStats, type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptBytes } from './byte-pack.ts';
import { Slices } from './slices.ts';

/** One file, link or directory as a walk has found it. */
export interface Found {
  readonly kind: 'file' | 'link' | 'directory';
  readonly mode: number;
  readonly size: number;
  readonly target: string;
  /** Equal stamps mean an untouched file, unless it `isFresh`. */
  readonly stamp: string;
  readonly modified: bigint;
  /** It was touched at the time of the walk: a later touch may leave no trace in its times. */
  readonly isFresh: boolean;
  /** It lies in a folder of things that can be made again: its bytes are not kept. */
  readonly isMade: boolean;
  /** Of a file, where they are kept. */
  kept?: KeptBytes | undefined;
}

export interface Walk {
  readonly found: ReadonlyMap<string, Found>;
  /** Directories whose entries were read. */
  readonly listed: ReadonlySet<string>;
  /** Those that were not, since there is too much or no leave. */
  readonly unread: readonly string[];
}

export interface WalkLimits {
  /** Absolute paths that are not looked at. */
  readonly excluded: readonly string[];
  readonly maxEntries: number;
}

/** Looked at last, and not kept: an installer or a compiler makes them again. */
const MADE = new Set([
  'node_modules',
  '.venv',
  'venv',
  'target',
  '.gradle',
  '.tox',
  '__pycache__',
  '.next',
  '.cache',
  '.pnpm-store',
  'bower_components',
  'Pods',
  'DerivedData',
]);

/** Some file systems keep times by two seconds. Nanoseconds. */
const FRESH = 2_000_000_000n;

/** The nearest entries come first, so that what is left out lies deep, or in folders that can be made again. */
export async function walkTrees(roots: readonly string[], limits: WalkLimits): Promise<Walk> {
  const walker = new Walker(limits, BigInt(Date.now()) * 1_000_000n - FRESH);
  for (const root of roots) walker.expect(root, false);
  const slices = new Slices();
  while (walker.readNext()) await slices.rest();
  return walker;
}

class Walker implements Walk {
  readonly found = new Map<string, Found>();
  readonly listed = new Set<string>();
  readonly #limits: WalkLimits;
  readonly #fresh: bigint;
  readonly #own: string[] = [];
  readonly #made: string[] = [];
  readonly #failed: string[] = [];
  #nextOwn = 0;
  #nextMade = 0;

  constructor(limits: WalkLimits, fresh: bigint) {
    this.#limits = limits;
    this.#fresh = fresh;
  }

  get unread(): readonly string[] {
    return [...this.#failed, ...this.#own.slice(this.#nextOwn), ...this.#made.slice(this.#nextMade)];
  }

  expect(directory: string, isMade: boolean): void {
    if (!this.#limits.excluded.includes(directory)) (isMade ? this.#made : this.#own).push(directory);
  }

  /** False where everything was read, or as much as may be. */
  readNext(): boolean {
    if (this.found.size >= this.#limits.maxEntries) return false;
    const own = this.#own[this.#nextOwn];
    const directory = own ?? this.#made[this.#nextMade];
    if (directory === undefined) return false;
    if (own === undefined) this.#nextMade += 1;
    else this.#nextOwn += 1;
    this.#read(directory, own === undefined);
    return true;
  }

  #read(directory: string, isMade: boolean): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch {
      this.#failed.push(directory);
      return;
    }
    this.listed.add(directory);
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const path = join(directory, entry.name);
      const isBelowMade = isMade || MADE.has(entry.name);
      const found = look(path, isBelowMade, this.#fresh);
      if (!found || this.#limits.excluded.includes(path)) continue;
      this.found.set(path, found);
      if (found.kind === 'directory') this.expect(path, isBelowMade);
    }
  }
}

/** Undefined for what is neither file, link nor directory, and for what is gone meanwhile. */
export function look(path: string, isMade: boolean, fresh: bigint): Found | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    const kind = kindOf(stats);
    if (!kind) return undefined;
    const { ino, size, mtimeNs: modified, ctimeNs } = stats;
    const target = kind === 'link' ? readlinkSync(path) : '';
    const stamp = `${stats.mode} ${ino} ${size} ${modified} ${ctimeNs} ${target}`;
    const mode = Number(stats.mode & 0o7777n);
    return { kind, mode, size: Number(size), target, stamp, modified, isFresh: ctimeNs >= fresh, isMade };
  } catch {
    return undefined;
  }
}

function kindOf(stats: BigIntStats): Found['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : undefined;
}
