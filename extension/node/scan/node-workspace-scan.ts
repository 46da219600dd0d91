import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Mutex } from '../../core/base/mutex.ts';
import { isInside } from '../../core/base/paths.ts';
import type {
  CommandScan,
  ScannedChanges,
  ScannedCommand,
  WorkspaceScan,
} from '../../core/ports/workspace-scan.ts';
import {
  absorbInto,
  changesIn,
  isBackgroundOf,
  isOvershadowed,
  type OpenScan,
  setAside,
} from './active-scan.ts';
import { compareWalks, type Difference } from './compare-walks.ts';
import { FileClock, machineTime } from './file-clock.ts';
import { KnownWorkspace } from './known-workspace.ts';
import { withoutRepositories } from './moved-repositories.ts';
import { type Missed, reportDifferences, type ScanLimits } from './report-differences.ts';
import { type Recorded, recordPath, ScanRecord, takeRecord } from './scan-record.ts';
import { isLookedAt } from './scan-scope.ts';
import type { Walk } from './walk.ts';
import { look } from './walk-tree.ts';

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
  maxChanges: 20_000,
  maxMadeChanges: 2_000,
  walkWorth: 10,
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
  readonly #known: KnownWorkspace;
  readonly #clock = new FileClock();
  /** Runs one look at a time, because two concurrent ones would store everything twice. */
  readonly #turns = new Mutex();

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#known = new KnownWorkspace(options.home, () => this.#limits.maxBytes);
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

  async begin(command: ScannedCommand | undefined, signal: AbortSignal): Promise<CommandScan> {
    const scan = await this.#turns.take(() => this.#begin(command, signal));
    if (this.#open.size > 1) for (const each of this.#open) await each.record?.share();
    return {
      end: async () => {
        const found = await this.#turns.take(() => this.#end(scan));
        await scan.record?.remove();
        return found;
      },
      soFar: () => this.#turns.take(() => this.#soFar(scan, command)),
      leave: () => this.#turns.take(() => this.#leave(scan)),
    };
  }

  async #begin(command: ScannedCommand | undefined, signal: AbortSignal): Promise<OpenScan> {
    const asked = machineTime();
    this.#isBeginning = true;
    try {
      const before = await this.#look({ signal });
      setAside(this.#open, before);
      const scan: OpenScan = {
        session: command?.session,
        before,
        asked,
        begun: machineTime(),
        shared: new Set(),
        expected: before,
        record: command && this.#record(command, before),
        isBackground: false,
        waiting: [],
      };
      this.#open.add(scan);
      return scan;
    } finally {
      this.#isBeginning = false;
    }
  }

  #record(command: ScannedCommand, walk: Walk): ScanRecord {
    const before = { roots: this.#roots, own: this.#own, walk };
    return new ScanRecord(this.#recordOf(command), before, this.#clock);
  }

  #recordOf({ session, call }: ScannedCommand): string {
    return recordPath(this.#options.home, `${session} ${call}`);
  }

  async resume(command: ScannedCommand): Promise<ScannedChanges | undefined> {
    const recorded = await takeRecord(this.#recordOf(command));
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
    const places = { roots: this.#roots, own: this.#own };
    const all = (await paths).map(realPlace).filter((path) => isLookedAt(path, places));
    const taken = await this.#known.lookAt(this.#withBelow(all));
    for (const scan of this.#open) await absorbInto(scan, taken);
  }

  /** Adds what lay below missing paths that were directories in the last walk or when a command began. */
  #withBelow(paths: readonly string[]): readonly string[] {
    const walks = [this.#known.walk, ...[...this.#open].map(({ expected }) => expected)];
    const wasDirectory = (path: string) => walks.some(({ found }) => found.get(path)?.kind === 'directory');
    const gone = paths.filter((path) => wasDirectory(path) && !look(path, false, 0n));
    if (gone.length === 0) return paths;
    const isGone = (path: string) => gone.some((folder) => isInside(folder, path));
    return [...new Set([...paths, ...walks.flatMap(({ found }) => [...found.keys()].filter(isGone))])];
  }

  /** Discards the stored contents. Reported changes stay usable if their bytes were read. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#known.close());
  }

  async #end(scan: OpenScan): Promise<ScannedChanges> {
    // The scan stays open during the look, so that nothing it needs is discarded.
    const after = await this.#lookFor(scan).finally(() => this.#open.delete(scan));
    return this.#changesOf(scan, after);
  }

  async #leave(scan: OpenScan): Promise<void> {
    this.#open.delete(scan);
    await scan.record?.leave();
  }

  async #soFar(scan: OpenScan, command: ScannedCommand | undefined): Promise<ScannedChanges> {
    const after = await this.#lookFor(scan);
    const found = await this.#changesOf(scan, after);
    Object.assign(scan, { before: after, expected: after, isBackground: true, waiting: [] });
    await scan.record?.remove();
    scan.record = command && this.#record(command, after);
    await scan.record?.goOn();
    return found;
  }

  async #changesOf(scan: OpenScan, after: Walk): Promise<ScannedChanges> {
    const others = [...this.#open].filter((each) => each !== scan);
    this.#clock.learn(scan.before, after, { ...scan, over: machineTime() });
    const changes = changesIn(scan, after, others);
    const taken = new Map(changes.map(({ path }) => [path, after.found.get(path)]));
    for (const other of others) if (isBackgroundOf(other, scan)) await absorbInto(other, taken);
    const { isBackground } = scan;
    return this.#report(scan.before, changes, {
      ...missedBy(scan.before, after),
      special: onlyInOne(scan.before.special, after.special),
      isBackground,
    });
  }

  /** Reports a path as doubtful if it was touched when the command can no longer have run. */
  #changesSince(recorded: Recorded, after: Walk): Promise<ScannedChanges> {
    const { walk, until, isShared, isBackground } = recorded;
    const differences = compareWalks(walk, after)
      .filter(({ path }) => isLookedAt(path, recorded))
      .map((each) => ({ ...each, isShared: isShared || isBackground }));
    const isInTime = ({ path }: Difference) => lastTouch(path, after) <= until;
    const doubtful = differences.filter((difference) => !isInTime(difference)).map(({ path }) => path);
    return this.#report(walk, differences.filter(isInTime), { ...missedBy(after), doubtful, isBackground });
  }

  async #report(before: Walk, differences: readonly Difference[], missed: Missed): Promise<ScannedChanges> {
    const { others, repositories } = withoutRepositories(before, differences);
    const reported = reportDifferences(
      others,
      { ...missed, repositories },
      {
        roots: this.#roots,
        limits: this.#limits,
        pack: await this.#known.pack(),
      },
    );
    this.#known.expect(reported.changes.map(({ path }) => path));
    return reported;
  }

  /** While a command of the session runs in the foreground, one in the background changes nothing. */
  async #lookFor(scan: OpenScan): Promise<Walk> {
    return isOvershadowed(scan, this.#open) ? scan.expected : this.#look({ scan });
  }

  /** With `scan`, looks for what its command has changed. */
  async #look({ scan, signal }: { scan?: OpenScan; signal?: AbortSignal } = {}): Promise<Walk> {
    if (this.#open.size === 0) await this.#known.makeRoom();
    const { maxEntries, walkWorth } = this.#limits;
    const now = machineTime();
    const took = Number(now - (scan?.begun ?? now)) / 1e6;
    const mustWalk = took > walkWorth * this.#known.walkTime;
    const scope = { roots: this.#roots, excluded: this.#own, maxEntries };
    await this.#known.look({ ...scope, now: this.#clock.at(now), mustWalk }, signal);
    await this.#absorbOthers();
    return this.#known.walk;
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

function onlyInOne(one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] {
  return [...one, ...other].filter((path) => !one.has(path) || !other.has(path));
}

function missedBy(...walks: readonly Walk[]): Missed {
  return {
    unread: walks.flatMap(({ unread }) => unread),
    mangled: walks.flatMap(({ mangled }) => [...mangled]),
  };
}
