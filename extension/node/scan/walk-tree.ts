// Lists what lies in the folders of a workspace, in slices, so that the window stays responsive.
import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isUndecodableName } from '../../core/checkpoints/file-state.ts';
import { errorCode } from '../fs/file-errors.ts';
import { isBelowRepository, isIgnored, type KnownRules, rulesAbove } from '../search/ignore-rules.ts';
import { COARSE } from './file-clock.ts';
import { TimeSlices } from './time-slices.ts';
import type { Walk, WalkEntry, WalkLimits } from './walk.ts';

/**
 * Folders that an installer or a compiler makes again, if Git does not keep them. A walk visits them last,
 * and Harness does not store their contents.
 */
const MADE: ReadonlySet<string> = new Set([
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

/** Names that are also ordinary words. Such a folder counts as made only if Git ignores it. */
const PLAIN_WORDS = new Set(['target']);

/** Whether a folder of this name is one that an installer or a compiler makes, if Git does not keep it. */
export function isMadeName(name: string): boolean {
  return MADE.has(name);
}

/**
 * `now` is by the clock of the file system. Visits the nearest entries first, so that what is left out lies
 * deep or can be made again.
 */
export async function walkTrees(
  roots: readonly string[],
  limits: WalkLimits,
  now: bigint,
  signal?: AbortSignal,
): Promise<Walk> {
  const walker = new Walker(limits, now - COARSE);
  for (const root of roots) walker.begin(root);
  const slices = new TimeSlices(signal);
  const known: KnownRules = new Map();
  for (let next = walker.takeNext(); next; next = walker.takeNext()) {
    for (const _ of walker.read(next)) await slices.rest();
    for (const directory of walker.takeDoubtful())
      walker.expect(directory, await isMadeAgain(directory, known));
  }
  const { found, listed, unread, mangled, special, roots: folders } = walker;
  return { found, listed, unread, mangled, special, roots: folders };
}

/**
 * Outside a repository, the name alone decides, unless it is an ordinary word. `known` is that of
 * `rulesAbove`.
 */
async function isMadeAgain(directory: string, known: KnownRules): Promise<boolean> {
  if (!isMadeName(basename(directory))) return false;
  const rules = await rulesAbove(directory, known);
  return isBelowRepository(rules) ? isIgnored(rules, directory, true) : !PLAIN_WORDS.has(basename(directory));
}

interface Expected {
  readonly directory: string;
  readonly isMade: boolean;
}

class Walker implements Walk {
  readonly found = new Map<string, WalkEntry>();
  readonly listed = new Set<string>();
  readonly mangled = new Set<string>();
  readonly special = new Set<string>();
  readonly #limits: WalkLimits;
  readonly roots = new Map<string, WalkEntry>();
  readonly #fresh: bigint;
  readonly #own: string[] = [];
  readonly #made: string[] = [];
  readonly #failed: string[] = [];
  /** Directories in the last directory read that only their names call made. */
  #doubtful: string[] = [];
  #nextOwn = 0;
  #nextMade = 0;

  constructor(limits: WalkLimits, fresh: bigint) {
    this.#limits = limits;
    this.#fresh = fresh;
  }

  get unread(): readonly string[] {
    return [...this.#failed, ...this.#own.slice(this.#nextOwn), ...this.#made.slice(this.#nextMade)];
  }

  begin(root: string): void {
    const found = look(root, false, this.#fresh);
    if (found) this.roots.set(root, found);
    this.expect(root, false);
  }

  expect(directory: string, isMade: boolean): void {
    if (!this.#limits.excluded.includes(directory)) (isMade ? this.#made : this.#own).push(directory);
  }

  /** Returns directories that only their names call made. The caller must pass each to `expect`. */
  takeDoubtful(): readonly string[] {
    const doubtful = this.#doubtful;
    this.#doubtful = [];
    return doubtful;
  }

  /**
   * Returns the next directory to read. Returns undefined if everything was read, or as much as the limit
   * allows.
   */
  takeNext(): Expected | undefined {
    if (this.found.size >= this.#limits.maxEntries) return undefined;
    const own = this.#own[this.#nextOwn];
    const directory = own ?? this.#made[this.#nextMade];
    if (directory === undefined) return undefined;
    if (own === undefined) this.#nextMade += 1;
    else this.#nextOwn += 1;
    return { directory, isMade: own === undefined };
  }

  /**
   * Yields once for each name. Leaves out a whole directory if it has more names than the limit still allows.
   */
  *read({ directory, isMade }: Expected): Generator<void> {
    const room = this.#limits.maxEntries - this.found.size;
    this.#limits.onFolder?.(directory, this.found.get(directory) ?? this.roots.get(directory));
    const names: string[] = [];
    try {
      for (const name of namesIn(directory)) {
        if (names.push(name) > room) return void this.#failed.push(directory);
        yield;
      }
      for (const name of names.sort()) {
        this.#take(directory, name, isMade);
        yield;
      }
      this.listed.add(directory);
    } catch (error) {
      // A missing directory holds nothing.
      if (errorCode(error) === 'ENOENT') this.listed.add(directory);
      else this.#failed.push(directory);
    }
  }

  #markRepository(directory: string): void {
    const found = this.found.get(directory);
    if (found) found.isRepository = true;
  }

  #take(directory: string, name: string, isMade: boolean): void {
    const path = join(directory, name);
    if (name === '.git') this.#markRepository(directory);
    if (name === '.git' || this.#limits.excluded.includes(path)) return;
    const found = look(path, isMade, this.#fresh);
    if (!found && isUndecodableName(name)) this.mangled.add(directory);
    if (!found && isSpecial(path)) this.special.add(path);
    if (!found) return;
    this.found.set(path, found);
    if (found.kind !== 'directory') return;
    if (!isMade && isMadeName(name)) this.#doubtful.push(path);
    else this.expect(path, isMade);
  }
}

/** Reads some names at a time, because a directory may hold millions. */
function* namesIn(directory: string): Generator<string> {
  const entries = opendirSync(directory);
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) yield entry.name;
  } finally {
    entries.closeSync();
  }
}

/**
 * Returns undefined for a missing path, and for one that is no file, link or directory. Throws if that cannot
 * be determined.
 */
export function look(path: string, isMade: boolean, fresh: bigint): WalkEntry | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const kind = stats && kindOf(stats);
  if (!stats || !kind) return undefined;
  const { size, mtimeNs: modified, ctimeNs: touched, birthtimeNs: born } = stats;
  const target = kind === 'link' ? readlinkSync(path) : '';
  const inode = String(stats.ino);
  const mode = Number(stats.mode & 0o7777n);
  const isFresh = touched >= fresh;
  const isLinked = kind === 'file' && stats.nlink > 1n;
  const times = { born, modified, touched, isFresh };
  return { kind, mode, size: Number(size), target, inode, ...times, isMade, ...(isLinked && { isLinked }) };
}

/** Whether a pipe, a socket or a device is at the path. */
export function isSpecial(path: string): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && kindOf(stats) === undefined;
}

function kindOf(stats: BigIntStats): WalkEntry['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : undefined;
}
