// What lies in the folders of a workspace, as the system tells of it: read in slices, so that the window stays alive.
import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isUndecodableName } from '../../core/checkpoints/file-state.ts';
import { errorCode } from '../fs/file-errors.ts';
import { isBelowRepository, isIgnored, type KnownRules, rulesAbove } from '../search/ignore-rules.ts';
import { COARSE } from './file-clock.ts';
import { TimeSlices } from './time-slices.ts';
import type { Found, Walk, WalkLimits } from './walk.ts';

/** Folders that an installer or a compiler makes again, where Git does not keep them. Looked at last, and not kept. */
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

/** Ordinary words, too: only where Git ignores such a folder it is one of those. */
const PLAIN_WORDS = new Set(['target']);

/** `now` is by the clock of the file system. The nearest entries come first, so that what is left out lies deep, or in folders that can be made again. */
export async function walkTrees(roots: readonly string[], limits: WalkLimits, now: bigint): Promise<Walk> {
  const walker = new Walker(limits, now - COARSE);
  for (const root of roots) walker.begin(root);
  const slices = new TimeSlices();
  const known: KnownRules = new Map();
  for (let next = walker.takeNext(); next; next = walker.takeNext()) {
    for (const _ of walker.read(next)) await slices.rest();
    for (const directory of walker.takeDoubtful())
      walker.expect(directory, await isMadeAgain(directory, known));
  }
  const { found, listed, unread, mangled, roots: folders } = walker;
  return { found, listed, unread, mangled, roots: folders };
}

/** Outside of a repository its name says so alone, where it can mean nothing else. `known`: as of `rulesAbove`. */
async function isMadeAgain(directory: string, known: KnownRules): Promise<boolean> {
  if (!MADE.has(basename(directory))) return false;
  const rules = await rulesAbove(directory, known);
  return isBelowRepository(rules) ? isIgnored(rules, directory, true) : !PLAIN_WORDS.has(basename(directory));
}

interface Expected {
  readonly directory: string;
  readonly isMade: boolean;
}

class Walker implements Walk {
  readonly found = new Map<string, Found>();
  readonly listed = new Set<string>();
  readonly mangled = new Set<string>();
  readonly #limits: WalkLimits;
  readonly roots = new Map<string, Found>();
  readonly #fresh: bigint;
  readonly #own: string[] = [];
  readonly #made: string[] = [];
  readonly #failed: string[] = [];
  /** Of those that the last directory has. */
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

  /** Directories that only their names call made; whoever takes them expects them. */
  takeDoubtful(): readonly string[] {
    const doubtful = this.#doubtful;
    this.#doubtful = [];
    return doubtful;
  }

  /** The directory to be read next. Undefined where everything was read, or as much as may be. */
  takeNext(): Expected | undefined {
    if (this.found.size >= this.#limits.maxEntries) return undefined;
    const own = this.#own[this.#nextOwn];
    const directory = own ?? this.#made[this.#nextMade];
    if (directory === undefined) return undefined;
    if (own === undefined) this.#nextMade += 1;
    else this.#nextOwn += 1;
    return { directory, isMade: own === undefined };
  }

  /** One step for each name. A directory that has more of them than may still be looked at is left out as a whole. */
  *read({ directory, isMade }: Expected): Generator<void> {
    const room = this.#limits.maxEntries - this.found.size;
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
      // What is gone holds nothing any more.
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
    if (!found) return;
    this.found.set(path, found);
    if (found.kind !== 'directory') return;
    if (!isMade && MADE.has(name)) this.#doubtful.push(path);
    else this.expect(path, isMade);
  }
}

/** Some at a time: a directory may hold millions. */
function* namesIn(directory: string): Generator<string> {
  const entries = opendirSync(directory);
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) yield entry.name;
  } finally {
    entries.closeSync();
  }
}

/** Undefined for what is neither file, link nor directory, and for what is not there. Throws where it cannot be known. */
export function look(path: string, isMade: boolean, fresh: bigint): Found | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const kind = stats && kindOf(stats);
  if (!stats || !kind) return undefined;
  const { size, mtimeNs: modified, ctimeNs: touched, birthtimeNs: born } = stats;
  const target = kind === 'link' ? readlinkSync(path) : '';
  const inode = String(stats.ino);
  const mode = Number(stats.mode & 0o7777n);
  const isFresh = touched >= fresh;
  return { kind, mode, size: Number(size), target, inode, born, modified, touched, isFresh, isMade };
}

function kindOf(stats: BigIntStats): Found['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : undefined;
}
