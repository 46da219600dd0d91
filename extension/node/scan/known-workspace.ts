import { basename, dirname } from 'node:path';
import { isUndecodableName } from '../../core/checkpoints/file-state.ts';
import type { BytePack } from './byte-pack.ts';
import { changed, isSameInode, isUntouched } from './compare-walks.ts';
import { ContentCache } from './content-cache.ts';
import { FolderWatch } from './folder-watch.ts';
import { TimeSlices } from './time-slices.ts';
import type { Walk, WalkEntry, WalkLimits } from './walk.ts';
import { isMadeName, isSpecial, look, walkTrees } from './walk-tree.ts';

export interface LookOptions extends WalkLimits {
  /** Absolute, without links. */
  readonly roots: readonly string[];
  /** By the clock of the file system. */
  readonly now: bigint;
  /** The watch is not enough, because it does not report what a program writes through mapped memory. */
  readonly mustWalk?: boolean;
}

type Entries = ReadonlyMap<string, WalkEntry | undefined>;

const NOTHING: Walk = {
  found: new Map(),
  listed: new Set(),
  unread: [],
  mangled: new Set(),
  special: new Set(),
  roots: new Map(),
};

/** Names that change what a walk does with their whole folder. */
const RULES = new Set(['.git', '.gitignore']);

/**
 * What lay in the workspace at the last look, with the stored contents. The first look walks through the
 * workspace. A later one looks only at what the watch has reported, where that is enough.
 */
export class KnownWorkspace {
  readonly #contents: ContentCache;
  readonly #watch = new FolderWatch();
  #walk: Walk = NOTHING;
  /** Files of the last walk with other names. The watch reports a change only for the name that was used. */
  #linked: ReadonlySet<string> = new Set();
  /** Of the last walk. */
  #maxEntries = 0;
  /** Milliseconds of the last walk. */
  #walkTime = 0;

  constructor(home: string, maxBytes: () => number) {
    this.#contents = new ContentCache(home, maxBytes);
  }

  get walk(): Walk {
    return this.#walk;
  }

  /** Milliseconds that a walk takes. */
  get walkTime(): number {
    return this.#walkTime;
  }

  /** The current pack, from which the caller can read contents later. */
  pack(): Promise<BytePack> {
    return this.#contents.pack();
  }

  /** Paths that commands have changed and will probably change again. */
  expect(paths: Iterable<string>): void {
    this.#contents.expect(paths);
  }

  /** Rejects as soon as the signal is aborted. What was stored until then is not read again. */
  async look(options: LookOptions, signal?: AbortSignal): Promise<Walk> {
    const touched = await this.#watch.takeTouched();
    const taken = touched && !options.mustWalk ? await this.#entriesAt(touched, options, signal) : undefined;
    if (!taken) await this.#walkAll(options, signal);
    else if (taken.size > 0) this.#walk = changed(this.#walk, taken);
    await (await this.pack()).flush().catch(() => undefined);
    return this.#walk;
  }

  /** Looks at these paths alone. Reads them all, because someone has just changed them. */
  async lookAt(paths: Iterable<string>): Promise<Entries> {
    const taken = new Map<string, WalkEntry | undefined>();
    for (const path of paths) {
      // Counts as fresh, so that the next walk compares the content.
      const found = look(path, false, 0n);
      if (found?.kind === 'file') found.kept = await this.#contents.keep(path, found, undefined);
      taken.set(path, found);
    }
    this.#walk = changed(this.#walk, taken);
    return taken;
  }

  /** Starts a new pack if much of it is no longer used. No scan may need the stored contents then. */
  async makeRoom(): Promise<void> {
    if (!(await this.#contents.isWasted(() => this.#used()))) return;
    await this.#contents.renew();
    this.#forget();
  }

  /** Discards the stored contents. */
  async close(): Promise<void> {
    await this.#contents.close();
    this.#forget();
  }

  #forget(): void {
    this.#watch.close();
    this.#walk = NOTHING;
  }

  async #walkAll({ roots, now, excluded, maxEntries }: LookOptions, signal?: AbortSignal): Promise<void> {
    const begun = performance.now();
    this.#watch.beginWalk();
    const onFolder: WalkLimits['onFolder'] = (...folder) => this.#watch.add(...folder);
    const walk = await walkTrees(roots, { excluded, maxEntries, onFolder }, now, signal);
    this.#walkTime = performance.now() - begun;
    this.#maxEntries = maxEntries;
    const slices = new TimeSlices();
    for (const [path, found] of walk.found) {
      if (found.kind !== 'file') continue;
      await slices.rest();
      found.kept = await this.#contentOf(path, found, signal);
    }
    this.#walk = walk;
    this.#linked = new Set([...walk.found].filter(isLinkedByUser).map(([path]) => path));
    signal?.throwIfAborted();
    this.#watch.endWalk();
  }

  /** After a stop, nothing more is read. */
  async #contentOf(path: string, found: WalkEntry, signal?: AbortSignal): Promise<WalkEntry['kept']> {
    const old = this.#walk.found.get(path);
    if (old?.kept && isKnown(old, found)) return old.kept;
    return signal?.aborted ? undefined : this.#contents.keep(path, found, old);
  }

  /** The entries that differ from the last look. Undefined where only a walk can tell. */
  async #entriesAt(
    touched: ReadonlySet<string>,
    options: LookOptions,
    signal?: AbortSignal,
  ): Promise<Entries | undefined> {
    if (!this.#isSameScope(options)) return undefined;
    const taken = new Map<string, WalkEntry | undefined>();
    const slices = new TimeSlices();
    for (const path of new Set([...touched, ...this.#linked])) {
      await slices.rest();
      // What was touched is forgotten, so the next look is a walk.
      if (signal?.aborted) this.#watch.close();
      signal?.throwIfAborted();
      if (!this.#walk.listed.has(dirname(path)) || options.excluded.includes(path)) continue;
      const old = this.#walk.found.get(path);
      const isMade = old?.isMade ?? this.#walk.found.get(dirname(path))?.isMade ?? false;
      const { found, isUnclear } = lookIfPossible(path, isMade, options.now);
      const isNewlyLinked = found?.isLinked && !old?.isLinked;
      if (isUnclear || isNewlyLinked || changesFolders(path, old, found)) return undefined;
      if (!found && this.#walk.special.has(path) !== isSpecial(path)) return undefined;
      if (!(old ?? found) || found?.kind === 'directory' || isKnown(old, found)) continue;
      if (found?.kind === 'file') found.kept = await this.#contentOf(path, found);
      taken.set(path, found);
    }
    return this.#walk.found.size + taken.size > options.maxEntries ? undefined : taken;
  }

  #isSameScope({ roots, maxEntries }: LookOptions): boolean {
    const known = this.#walk.roots;
    const isThere = (root: string) => isSameInode(known.get(root), look(root, false, 0n));
    return maxEntries === this.#maxEntries && roots.length === known.size && roots.every(isThere);
  }

  #used(): number {
    let used = 0;
    for (const { kept } of this.#walk.found.values()) used += kept?.length ?? 0;
    return used;
  }
}

/** Whether the entry cannot have changed since the last look. */
function isKnown(old: WalkEntry | undefined, found: WalkEntry | undefined): boolean {
  return old?.isFresh === false && isSameInode(old, found) && isUntouched(old, found);
}

function isLinkedByUser([, { isLinked, isMade }]: readonly [string, WalkEntry]): boolean {
  return isLinked === true && !isMade;
}

/** Unclear where something above the path has become another kind, or may not be read. */
function lookIfPossible(
  path: string,
  isMade: boolean,
  fresh: bigint,
): { found?: WalkEntry; isUnclear: boolean } {
  try {
    const found = look(path, isMade, fresh);
    return { ...(found && { found }), isUnclear: false };
  } catch {
    return { isUnclear: true };
  }
}

/** Whether more than the entry at the path may be different from the last walk. */
function changesFolders(path: string, old: WalkEntry | undefined, found: WalkEntry | undefined): boolean {
  const name = basename(path);
  if (RULES.has(name) || isUndecodableName(name)) return true;
  if (!old && isMadeName(basename(dirname(path)))) return true;
  if (old?.kind !== 'directory' && found?.kind !== 'directory') return false;
  return !isSameInode(old, found) || old?.mode !== found?.mode;
}
