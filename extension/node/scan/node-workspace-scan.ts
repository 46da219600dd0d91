import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Mutex } from '../../core/base/mutex.ts';
import { isInside } from '../../core/base/paths.ts';
import type { ScannedChanges, WorkspaceScan } from '../../core/ports/workspace-scan.ts';
import { changesIn, type OpenScan } from './active-scan.ts';
import { changed, compareWalks, type Difference, isSameInode, isUntouched } from './compare-walks.ts';
import { ContentCache } from './content-cache.ts';
import { FileClock, machineTime } from './file-clock.ts';
import { withoutRepositories } from './moved-repositories.ts';
import { type Missed, reportDifferences, type ScanLimits } from './report-differences.ts';
import { type Recorded, recordPath, ScanRecord, takeRecord } from './scan-record.ts';
import { isLookedAt } from './scan-scope.ts';
import { TimeSlices } from './time-slices.ts';
import type { Walk, WalkEntry } from './walk.ts';
import { look, walkTrees } from './walk-tree.ts';

export interface ScanOptions {
  /** Returns the absolute paths of the workspace folders at the time of the call. */
  readonly roots: () => readonly string[];
  /** Harness's own folder. A scan never looks into it, and stores contents there. */
  readonly home: string;
  /** Other files and folders of Harness's own: paths without links, fixed from the start. */
  readonly own?: readonly string[];
  /** Called before each scan. */
  readonly limits?: () => Partial<ScanLimits>;
}

const LIMITS: ScanLimits = {
  maxEntries: 60_000,
  maxBytes: 300_000_000,
  maxChanges: 2_000,
};

const NOTHING: Walk = {
  found: new Map(),
  listed: new Set(),
  unread: [],
  mangled: new Set(),
  roots: new Map(),
};

/**
 * Compares what lies in the workspace before and after a command: names, modes, times, and the contents of
 * touched files. Previous contents come from a file of this process beside Harness's sessions. All sessions
 * share one instance.
 */
export class NodeWorkspaceScan implements WorkspaceScan {
  readonly #options: ScanOptions;
  readonly #open = new Set<OpenScan>();
  /** A scan runs before a command that is not in `#open` yet. */
  #isBeginning = false;
  /** Paths that someone else has changed and that no scan has looked at since. */
  readonly #others: (readonly string[] | Promise<readonly string[]>)[] = [];
  readonly #contents: ContentCache;
  readonly #clock = new FileClock();
  #walk: Walk = NOTHING;
  /** Runs one walk at a time, because two concurrent walks would store everything twice. */
  readonly #turns = new Mutex();

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#contents = new ContentCache(options.home, () => this.#limits.maxBytes);
  }

  /** Resolves links, because the tools name files by resolved paths. */
  get #roots(): readonly string[] {
    return this.#options.roots().map(realFolder);
  }

  get #own(): readonly string[] {
    return [realFolder(this.#options.home), ...(this.#options.own ?? [])];
  }

  get #limits(): ScanLimits {
    return { ...LIMITS, ...this.#options.limits?.() };
  }

  async prepare(): Promise<void> {
    await this.#turns.take(() => this.#look()).catch(() => undefined);
  }

  async begin(key?: string): Promise<() => Promise<ScannedChanges>> {
    const scan = await this.#turns.take(() => this.#begin(key));
    if (this.#open.size > 1) for (const each of this.#open) await each.record?.share();
    return async () => {
      const found = await this.#turns.take(() => this.#end(scan));
      await scan.record?.remove();
      return found;
    };
  }

  async #begin(key: string | undefined): Promise<OpenScan> {
    const asked = machineTime();
    this.#isBeginning = true;
    try {
      const before = await this.#look();
      const begun = machineTime();
      const record = key === undefined ? undefined : this.#record(key, before);
      const scan: OpenScan = { before, asked, begun, shared: new Set(), expected: before, record };
      this.#open.add(scan);
      return scan;
    } finally {
      this.#isBeginning = false;
    }
  }

  #record(key: string, walk: Walk): ScanRecord {
    const before = { roots: this.#roots, own: this.#own, walk };
    return new ScanRecord(recordPath(this.#options.home, key), before, this.#clock);
  }

  async resume(key: string): Promise<ScannedChanges | undefined> {
    const recorded = await takeRecord(recordPath(this.#options.home, key));
    if (!recorded || recorded.roots.join('\n') !== this.#roots.join('\n')) return undefined;
    return this.#turns.take(async () => this.#changesSince(recorded, await this.#look()));
  }

  /**
   * Takes effect before a running or later scan is over, even if the caller is still determining the paths.
   */
  async absorb(paths: readonly string[] | Promise<readonly string[]>): Promise<void> {
    if (this.#open.size === 0 && !this.#isBeginning) return;
    this.#others.push(paths);
    await this.#turns.take(() => this.#absorbOthers());
  }

  async #absorbOthers(): Promise<void> {
    for (let paths = this.#others.shift(); paths; paths = this.#others.shift())
      await this.#absorb(paths).catch(() => undefined);
  }

  async #absorb(paths: readonly string[] | Promise<readonly string[]>): Promise<void> {
    const taken = new Map<string, WalkEntry | undefined>();
    const places = { roots: this.#roots, own: this.#own };
    const all = (await paths).map(realPlace).filter((path) => isLookedAt(path, places));
    for (const path of this.#withBelow(all)) {
      // Counts as fresh, so that the next walk compares the content.
      const found = look(path, false, 0n);
      if (found?.kind === 'file') found.kept = await this.#contents.keep(path, found, undefined);
      taken.set(path, found);
    }
    this.#walk = changed(this.#walk, taken);
    for (const scan of this.#open) {
      scan.expected = changed(scan.expected, taken);
      await scan.record?.absorb(taken, scan.expected.listed);
    }
  }

  /** Adds what lay below missing paths that were directories in the last walk or when a command began. */
  #withBelow(paths: readonly string[]): readonly string[] {
    const walks = [this.#walk, ...[...this.#open].map(({ expected }) => expected)];
    const wasDirectory = (path: string) => walks.some(({ found }) => found.get(path)?.kind === 'directory');
    const gone = paths.filter((path) => wasDirectory(path) && !look(path, false, 0n));
    if (gone.length === 0) return paths;
    const isGone = (path: string) => gone.some((folder) => isInside(folder, path));
    return [...new Set([...paths, ...walks.flatMap(({ found }) => [...found.keys()].filter(isGone))])];
  }

  /** Discards the stored contents. Reported changes stay usable if their bytes were read. */
  async close(): Promise<void> {
    await this.#turns.take(async () => {
      await this.#contents.close();
      this.#walk = NOTHING;
    });
  }

  async #end(scan: OpenScan): Promise<ScannedChanges> {
    // The scan stays open during the walk, so that nothing it needs is discarded.
    const after = await this.#look().finally(() => this.#open.delete(scan));
    const { before } = scan;
    this.#clock.learn(before, after, { ...scan, over: machineTime() });
    return this.#report(before, changesIn(scan, after, this.#open), missedBy(before, after));
  }

  /** Reports a path as doubtful if it was touched when the command can no longer have run. */
  #changesSince(recorded: Recorded, after: Walk): Promise<ScannedChanges> {
    const { walk, until, isShared } = recorded;
    const differences = compareWalks(walk, after)
      .filter(({ path }) => isLookedAt(path, recorded))
      .map((each) => ({ ...each, isShared }));
    const isInTime = ({ path }: Difference) => lastTouch(path, after) <= until;
    const doubtful = differences.filter((difference) => !isInTime(difference)).map(({ path }) => path);
    return this.#report(walk, differences.filter(isInTime), { ...missedBy(after), doubtful });
  }

  async #report(before: Walk, differences: readonly Difference[], missed: Missed): Promise<ScannedChanges> {
    const { others, repositories } = withoutRepositories(before, differences);
    const reported = reportDifferences(
      others,
      { ...missed, repositories },
      {
        roots: this.#roots,
        limits: this.#limits,
        pack: await this.#contents.pack(),
      },
    );
    this.#contents.expect(reported.changes.map(({ path }) => path));
    return reported;
  }

  async #look(): Promise<Walk> {
    await this.#makeRoom();
    const { maxEntries } = this.#limits;
    const walk = await walkTrees(
      this.#roots,
      { excluded: this.#own, maxEntries },
      this.#clock.at(machineTime()),
    );
    const slices = new TimeSlices();
    for (const [path, found] of walk.found) {
      if (found.kind !== 'file') continue;
      await slices.rest();
      const old = this.#walk.found.get(path);
      const isKnown = old?.kept && isSameInode(old, found) && isUntouched(old, found) && !old.isFresh;
      found.kept = isKnown ? old.kept : await this.#contents.keep(path, found, old);
    }
    await (await this.#contents.pack()).flush().catch(() => undefined);
    this.#walk = walk;
    await this.#absorbOthers();
    return this.#walk;
  }

  /** Starts a new pack only while no scan needs the stored contents. */
  async #makeRoom(): Promise<void> {
    if (this.#open.size > 0 || !(await this.#contents.isWasted(() => this.#used()))) return;
    await this.#contents.renew();
    this.#walk = NOTHING;
  }

  #used(): number {
    let used = 0;
    for (const { kept } of this.#walk.found.values()) used += kept?.length ?? 0;
    return used;
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the folder does not exist
  }
}

/** Resolves the folder alone: does not follow a link at the end of the path. */
function realPlace(path: string): string {
  return join(realFolder(dirname(path)), basename(path));
}

/** When the path was last touched. For a missing path, when an entry was last removed from its directory. */
function lastTouch(path: string, { found }: Pick<Walk, 'found'>): bigint {
  const entry = found.get(path);
  if (entry) return entry.touched;
  const parent = dirname(path);
  return found.get(parent)?.touched ?? look(parent, false, 0n)?.touched ?? lastTouch(parent, { found });
}

function missedBy(...walks: readonly Walk[]): Missed {
  return {
    unread: walks.flatMap(({ unread }) => unread),
    mangled: walks.flatMap(({ mangled }) => [...mangled]),
  };
}
