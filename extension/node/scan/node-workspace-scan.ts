import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { ScannedChanges, ScannedEntry, WorkspaceScan } from '../../core/ports/workspace-scan.ts';
import { isInside } from '../../core/tools/is-inside.ts';
import { say } from '../../protocol/say.ts';
import { BytePack, type KeptBytes } from './byte-pack.ts';
import { compareWalks, type Difference, isSame } from './compare-walks.ts';
import { Slices } from './slices.ts';
import { type Found, look, type Walk, walkTrees } from './walk-tree.ts';

export interface ScanOptions {
  /** Absolute paths of the folders, as they are when it is asked. */
  readonly roots: () => readonly string[];
  /** Harness's own folder: never looked at, and where contents are kept meanwhile. */
  readonly home: string;
  /** Asked before each scan. */
  readonly limits?: () => Partial<ScanLimits>;
}

export interface ScanLimits {
  /** Files, links and directories that are looked at. */
  readonly maxEntries: number;
  /** Of all contents together. Bytes. */
  readonly maxBytes: number;
  /** Changes of one command that are told one by one. */
  readonly maxChanges: number;
}

const LIMITS: ScanLimits = {
  maxEntries: 60_000,
  maxBytes: 300_000_000,
  maxChanges: 2_000,
};

const NOTHING: Walk = { found: new Map(), listed: new Set(), unread: [] };
/** The content of a larger file is not kept in case that a command changes it. Bytes. */
const MAX_FILE = 5_000_000;
/** Quicker read at once than by another thread. Bytes. */
const SMALL = 100_000;
/** Names in a sentence. */
const NAMED = 3;

interface OpenScan {
  readonly before: Walk;
  /** What other commands have left meanwhile. */
  readonly others: Map<string, Found | undefined>;
  /** What others have made of paths meanwhile, instead of what `before` has of them. */
  readonly absorbed: Map<string, Found | undefined>;
}

/**
 * Compares what lies in the workspace before a command and after it: names, modes, times, and the contents of what was
 * touched. The contents of before come from a file of this process beside Harness's sessions. One for all sessions.
 */
export class NodeWorkspaceScan implements WorkspaceScan {
  readonly #options: ScanOptions;
  readonly #open = new Set<OpenScan>();
  #walk: Walk = NOTHING;
  #pack: Promise<BytePack> | undefined;
  #retired: BytePack | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  get #limits(): ScanLimits {
    return { ...LIMITS, ...this.#options.limits?.() };
  }

  async prepare(): Promise<void> {
    await this.#inTurn(() => this.#look()).catch(() => undefined);
  }

  async begin(): Promise<() => Promise<ScannedChanges>> {
    const before = await this.#inTurn(() => this.#look());
    const scan: OpenScan = { before, others: new Map(), absorbed: new Map() };
    this.#open.add(scan);
    return () => this.#inTurn(() => this.#end(scan));
  }

  async absorb(paths: readonly string[]): Promise<void> {
    if (this.#open.size === 0 || paths.length === 0) return;
    await this.#inTurn(async () => {
      const pack = await this.#packWithRoom();
      for (const path of paths) {
        // Taken for fresh, so that the next walk compares its content.
        const found = look(path, false, 0n);
        if (found?.kind === 'file') found.kept = await this.#keep(path, found, undefined, pack);
        for (const scan of this.#open) scan.absorbed.set(path, found);
        this.#walk = changed(this.#walk, new Map([[path, found]]));
      }
    }).catch(() => undefined);
  }

  /** What is kept aside is gone; what was told of changes can still be used where its bytes were read. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await (await this.#pack)?.close();
      await this.#retired?.close();
      this.#pack = undefined;
      this.#retired = undefined;
      this.#walk = NOTHING;
    });
  }

  /** Two walks at once would keep everything twice. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #end(scan: OpenScan): Promise<ScannedChanges> {
    // While it is open, nothing that it needs is thrown away.
    const after = await this.#look().finally(() => this.#open.delete(scan));
    const own = compareWalks(changed(scan.before, scan.absorbed), after).filter(
      ({ path, after: now }) => !(scan.others.has(path) && isSame(scan.others.get(path), now)),
    );
    for (const other of this.#open) for (const { path, after: now } of own) other.others.set(path, now);
    const { maxChanges } = this.#limits;
    const told = own.toSorted(byWorth).slice(0, maxChanges).sort(byPath);
    const pack = await this.#pack;
    const changes = told.map(({ path, before, after: now }) => ({
      path,
      before: entryOf(before, pack),
      after: entryOf(now, pack),
    }));
    return { changes, uncovered: this.#uncovered(scan.before, after, own.length - told.length) };
  }

  async #look(): Promise<Walk> {
    const pack = await this.#packWithRoom();
    const { roots, home } = this.#options;
    const walk = await walkTrees(roots(), { excluded: [home], maxEntries: this.#limits.maxEntries });
    const slices = new Slices();
    for (const [path, found] of walk.found) {
      if (found.kind !== 'file') continue;
      await slices.rest();
      const old = this.#walk.found.get(path);
      const isUntouched = old?.kept && old.stamp === found.stamp && !old.isFresh;
      found.kept = isUntouched ? old.kept : await this.#keep(path, found, old?.kept, pack);
    }
    await pack.flush().catch(() => undefined);
    this.#walk = walk;
    return walk;
  }

  async #keep(path: string, found: Found, old: KeptBytes | undefined, pack: BytePack) {
    if (found.isMade || found.size > MAX_FILE) return undefined;
    const bytes = found.size < SMALL ? readSmall(path) : await readFile(path).catch(() => undefined);
    if (!bytes) return undefined;
    const isOld = old?.length === bytes.length && bytes.equals(await pack.get(old).catch(() => Buffer.of()));
    return isOld ? old : pack.add(bytes);
  }

  /** Begins anew where most of what it holds is of no use any more, and nobody waits for it. */
  async #packWithRoom(): Promise<BytePack> {
    const { maxBytes } = this.#limits;
    this.#pack ??= this.#newPack();
    const pack = await this.#pack;
    if (pack.size < maxBytes / 2 || this.#open.size > 0) return pack;
    let used = 0;
    for (const { kept } of this.#walk.found.values()) used += kept?.length ?? 0;
    if (used > pack.size / 2) return pack;
    // Who has just ended may still read from the last one.
    await this.#retired?.close();
    this.#retired = pack;
    this.#walk = NOTHING;
    this.#pack = this.#newPack();
    return this.#pack;
  }

  #newPack(): Promise<BytePack> {
    return BytePack.open(this.#options.home, this.#limits.maxBytes);
  }

  #uncovered(before: Walk, after: Walk, left: number): string | undefined {
    const unread = [...new Set([...before.unread, ...after.unread])];
    const names = unread.slice(0, NAMED).map((path) => this.#nameOf(path));
    const listed = [...names, ...(unread.length > NAMED ? ['…'] : [])].join(', ');
    const folders = say('{0} folders were not looked at: {1}.', unread.length, listed);
    const changes = say('{0} more changes are not listed.', left);
    const told = [...(unread.length > 0 ? [folders] : []), ...(left > 0 ? [changes] : [])];
    return told.length > 0 ? told.join(' ') : undefined;
  }

  #nameOf(path: string): string {
    const root = this.#options.roots().find((folder) => isInside(folder, path));
    return root === undefined ? path : relative(root, path) || path;
  }
}

function changed({ found, listed, unread }: Walk, paths: ReadonlyMap<string, Found | undefined>): Walk {
  const next = new Map(found);
  for (const [path, now] of paths) {
    if (now) next.set(path, now);
    else next.delete(path);
  }
  return { found: next, listed, unread };
}

function readSmall(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // gone meanwhile, or not ours to read
  }
}

function entryOf(found: Found | undefined, pack: BytePack | undefined): ScannedEntry {
  if (!found) return { kind: 'absent' };
  const { kind, mode, size, target, kept } = found;
  if (kind === 'link') return { kind, target };
  if (kind === 'directory') return { kind, mode };
  return { kind, mode, size, ...(kept && pack && { bytes: () => pack.get(kept) }) };
}

/** What can be made again is left out first. */
function byWorth(one: Difference, other: Difference): number {
  return Number(isMade(one)) - Number(isMade(other));
}

function isMade({ before, after }: Difference): boolean {
  return (before ?? after)?.isMade ?? false;
}

function byPath(one: Difference, other: Difference): number {
  return one.path < other.path ? -1 : 1;
}
