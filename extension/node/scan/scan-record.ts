// Records on disk what lay in the workspace before a command, while the command runs. If this process dies
// meanwhile, the next process can determine the changes.
import { appendFile, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { discard, removeLeftovers, temporaryBeside } from '../fs/temporary-files.ts';
import { type FileClock, machineTime } from './file-clock.ts';
import type { Places } from './scan-scope.ts';
import { TimeSlices } from './time-slices.ts';
import type { Walk, WalkEntry } from './walk.ts';

const FOLDER = 'scans';
/** Milliseconds after which a record is removed. */
const OLD = 30 * 24 * 3_600_000;
/** Milliseconds before a record is written. Most commands are over sooner and need none. */
const PATIENCE = 100;
/** Milliseconds between two signs of life of this process. */
const BEAT = 1_000;
/** Nanoseconds after the last sign of life in which a change may still be the command's. */
const LATE = 2_000_000_000n;
/** The line that says that another command ran at the same time. */
const SHARED = '"shared"';
/** The line that says that the command went on in the background. */
const BACKGROUND = '"background"';

/** What lay in the workspace, and where the scan looked. */
interface Before extends Places {
  readonly walk: Walk;
}

export interface Recorded extends Before {
  /** Someone else made every later touch. Nanoseconds since the epoch, by the clock of the file system. */
  readonly until: bigint;
  /** Another command ran at the same time. */
  readonly isShared: boolean;
  /** The command went on in the background. */
  readonly isBackground: boolean;
}

export class ScanRecord {
  readonly #path: string;
  readonly #before: Before;
  readonly #clock: FileClock;
  readonly #start: NodeJS.Timeout;
  #beat: NodeJS.Timeout | undefined;
  #isBegun = false;
  #isOver = false;
  /** Lines that are not in the file yet. */
  #waiting: string[] = [];
  #written: Promise<unknown> = Promise.resolve();

  constructor(path: string, before: Before, clock: FileClock) {
    this.#path = path;
    this.#before = before;
    this.#clock = clock;
    this.#start = setTimeout(() => this.#begin(), PATIENCE).unref();
  }

  /**
   * Adds what someone else has just made of paths, so that it does not count as the command's. `listed` is
   * that of a walk. Never rejects.
   */
  absorb(taken: ReadonlyMap<string, WalkEntry | undefined>, listed: ReadonlySet<string>): Promise<void> {
    for (const [path, found] of taken) {
      this.#waiting.push(lineOf(path, found));
      if (listed.has(path)) this.#waiting.push(JSON.stringify([path]));
    }
    return this.#add();
  }

  /** Records that another command runs at the same time. Never rejects. */
  share(): Promise<void> {
    this.#waiting.push(SHARED);
    return this.#add();
  }

  /** Records that the command goes on in the background. Never rejects. */
  goOn(): Promise<void> {
    this.#waiting.push(BACKGROUND);
    return this.#add();
  }

  async #add(): Promise<void> {
    this.#written = this.#written.then(() => this.#beat && this.#append()).catch(() => undefined);
    await this.#written;
  }

  /** Keeps the record, because the command goes on without this process. Never rejects. */
  async leave(): Promise<void> {
    clearTimeout(this.#start);
    this.#begin();
    await this.#written;
    clearInterval(this.#beat);
  }

  /** Removes the record when the command is over. Never rejects. */
  async remove(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#start);
    await this.#written;
    clearInterval(this.#beat);
    await rm(this.#path, { force: true }).catch(() => undefined);
  }

  /** The record is best effort: without it, the changes stay unknown. */
  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#written = this.#write().catch(() => undefined);
  }

  async #write(): Promise<void> {
    const text = await textOf(this.#before, () => this.#isOver);
    if (text === undefined) return;
    await makeFolder(dirname(this.#path));
    const temporary = temporaryBeside(this.#path);
    try {
      await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
      await rename(temporary, this.#path);
    } catch (error) {
      await discard(temporary);
      throw error;
    }
    await this.#append();
    this.#beat = setInterval(() => {
      const now = new Date(Number(this.#clock.at(machineTime()) / 1_000_000n));
      void utimes(this.#path, now, now).catch(() => undefined);
    }, BEAT).unref();
  }

  async #append(): Promise<void> {
    while (this.#waiting.length > 0)
      await appendFile(
        this.#path,
        this.#waiting
          .splice(0)
          .map((line) => `\n${line}`)
          .join(''),
      );
  }
}

/** `key` may be any string. */
export function recordPath(home: string, key: string): string {
  return join(home, FOLDER, versionOf(Buffer.from(key)).slice(0, 32));
}

/**
 * Reads a record and removes it. Resolves with undefined if there is none, or if it is incomplete. Rejects if
 * the file cannot be read.
 */
export async function takeRecord(path: string): Promise<Recorded | undefined> {
  const stats = await ifPresent(stat(path, { bigint: true }));
  if (!stats) return undefined;
  const text = await readFile(path, 'utf8').finally(() => rm(path, { force: true }));
  const until = stats.mtimeNs + LATE;
  try {
    return { ...recordedIn(text), until };
  } catch {
    return undefined; // a power loss cut or damaged the file
  }
}

/** Throws if the text is not everything that `textOf` wrote. */
function recordedIn(text: string): Omit<Recorded, 'until'> {
  const [head = '', ...lines] = text.split('\n');
  const { count, roots, own } = JSON.parse(head) as Head;
  if (!(lines.length >= count)) throw new Error('lines are missing');
  const found = new Map<string, WalkEntry>();
  const listed = new Set<string>();
  for (const line of lines.filter((each) => each !== SHARED && each !== BACKGROUND)) {
    // `textOf` and `lineOf` wrote the lines. The last line of a path counts.
    const [name, entry] = JSON.parse(line) as readonly [string, (Line | null)?];
    if (entry) found.set(name, foundOf(entry));
    else if (entry === undefined) listed.add(name);
    else for (const known of [found, listed]) known.delete(name);
  }
  return {
    roots,
    own,
    walk: { found, listed, unread: [], mangled: new Set(), special: new Set(), roots: new Map() },
    isShared: lines.includes(SHARED),
    isBackground: lines.includes(BACKGROUND),
  };
}

/**
 * Removes records of sessions that are no longer opened, and half-written files of dead processes. Never
 * rejects.
 */
export async function removeOldRecords(home: string): Promise<void> {
  const folder = join(home, FOLDER);
  await removeLeftovers(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const modified = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - modified > OLD) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** The first line of a record. */
interface Head extends Places {
  /** Minimum number of lines behind the first one. */
  readonly count: number;
}

type Line = readonly [
  kind: WalkEntry['kind'],
  mode: number,
  size: number,
  target: string,
  modified: string,
  touched: string,
  made: 0 | 1,
  inode: string,
  born: string,
];

/** Resolves with undefined if the command is over. */
async function textOf(
  { roots, own, walk: { found, listed } }: Before,
  isOver: () => boolean,
): Promise<string | undefined> {
  const head: Head = { count: listed.size + found.size, roots, own };
  const lines = [JSON.stringify(head)];
  const slices = new TimeSlices();
  for (const path of listed) lines.push(JSON.stringify([path]));
  for (const [path, entry] of found) {
    lines.push(lineOf(path, entry));
    await slices.rest();
    if (isOver()) return undefined;
  }
  return lines.join('\n');
}

/** Writes null for a path that does not exist. */
function lineOf(path: string, found: WalkEntry | undefined): string {
  if (!found) return JSON.stringify([path, null]);
  const { kind, mode, size, target, modified, touched, isMade, inode, born } = found;
  const line: Line = [
    kind,
    mode,
    size,
    target,
    String(modified),
    String(touched),
    isMade ? 1 : 0,
    inode,
    String(born),
  ];
  return JSON.stringify([path, line]);
}

function foundOf([kind, mode, size, target, modified, touched, made, inode, born]: Line): WalkEntry {
  return {
    kind,
    mode,
    size,
    target,
    inode,
    born: BigInt(born),
    modified: BigInt(modified),
    touched: BigInt(touched),
    isFresh: true,
    isMade: made === 1,
  };
}
