// What lay in the workspace before a command, on the disk while that runs: should this process die in it, the next one can
// tell what has changed.
import { appendFile, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { discard, removeLeftovers, temporaryBeside } from '../fs/temporary-files.ts';
import { type FileClock, machineTime } from './file-clock.ts';
import type { Places } from './scan-scope.ts';
import { TimeSlices } from './time-slices.ts';
import type { Found, Walk } from './walk.ts';

const FOLDER = 'scans';
/** Milliseconds. */
const OLD = 30 * 24 * 3_600_000;
/** Most commands are over by then, and need none. Milliseconds. */
const PATIENCE = 100;
/** How often this process says that it lives. Milliseconds. */
const BEAT = 1_000;
/** How long after its last word something may still have been its command's doing. Nanoseconds. */
const LATE = 2_000_000_000n;
/** A line. */
const SHARED = '"shared"';

/** What lay there, and where it was looked for. */
interface Before extends Places {
  readonly walk: Walk;
}

export interface Recorded extends Before {
  /** What was touched later was touched by somebody else. By the clock of the file system, nanoseconds since the epoch. */
  readonly until: bigint;
  /** Another command has run at the same time. */
  readonly isShared: boolean;
}

export class ScanRecord {
  readonly #path: string;
  readonly #clock: FileClock;
  readonly #start: NodeJS.Timeout;
  #beat: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Not in the file yet. */
  #waiting: string[] = [];
  #written: Promise<unknown> = Promise.resolve();

  constructor(path: string, before: Before, clock: FileClock) {
    this.#path = path;
    this.#clock = clock;
    this.#start = setTimeout(() => {
      // It is a help: without it what was changed is not known.
      this.#written = this.#write(before).catch(() => undefined);
    }, PATIENCE).unref();
  }

  /** What somebody else has just made of paths, which the command has therefore not done. `listed`: as of a walk. Never rejects. */
  absorb(taken: ReadonlyMap<string, Found | undefined>, listed: ReadonlySet<string>): Promise<void> {
    for (const [path, found] of taken) {
      this.#waiting.push(lineOf(path, found));
      if (listed.has(path)) this.#waiting.push(JSON.stringify([path]));
    }
    return this.#add();
  }

  /** Another command runs at the same time. Never rejects. */
  share(): Promise<void> {
    this.#waiting.push(SHARED);
    return this.#add();
  }

  async #add(): Promise<void> {
    this.#written = this.#written.then(() => this.#beat && this.#append()).catch(() => undefined);
    await this.#written;
  }

  /** The command is over. Never rejects. */
  async remove(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#start);
    await this.#written;
    clearInterval(this.#beat);
    await rm(this.#path, { force: true }).catch(() => undefined);
  }

  async #write(before: Before): Promise<void> {
    const text = await textOf(before, () => this.#isOver);
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

/** `key` is anything. */
export function recordPath(home: string, key: string): string {
  return join(home, FOLDER, versionOf(Buffer.from(key)).slice(0, 32));
}

/** What is there is used once. Undefined where there is none, or not all of it. Rejects where it cannot be read. */
export async function takeRecord(path: string): Promise<Recorded | undefined> {
  const stats = await ifPresent(stat(path, { bigint: true }));
  if (!stats) return undefined;
  const text = await readFile(path, 'utf8').finally(() => rm(path, { force: true }));
  const until = stats.mtimeNs + LATE;
  try {
    return { ...recordedIn(text), until };
  } catch {
    return undefined; // cut, or damaged, by a loss of power
  }
}

/** Throws where it is not all that `textOf` has written. */
function recordedIn(text: string): Omit<Recorded, 'until'> {
  const [head = '', ...lines] = text.split('\n');
  const { count, roots, own } = JSON.parse(head) as Head;
  if (!(lines.length >= count)) throw new Error('lines are missing');
  const found = new Map<string, Found>();
  const listed = new Set<string>();
  for (const line of lines.filter((each) => each !== SHARED)) {
    // Written by `textOf` and `lineOf`. The later of a path holds.
    const [name, entry] = JSON.parse(line) as readonly [string, (Line | null)?];
    if (entry) found.set(name, foundOf(entry));
    else if (entry === undefined) listed.add(name);
    else for (const known of [found, listed]) known.delete(name);
  }
  return {
    roots,
    own,
    walk: { found, listed, unread: [], mangled: new Set(), roots: new Map() },
    isShared: lines.includes(SHARED),
  };
}

/** Removes those of sessions that nobody opens any more, and what processes that died have left half-written. Never rejects. */
export async function removeOldRecords(home: string): Promise<void> {
  const folder = join(home, FOLDER);
  await removeLeftovers(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const modified = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - modified > OLD) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** The first line. */
interface Head extends Places {
  /** Lines behind it, at least. */
  readonly count: number;
}

type Line = readonly [
  kind: Found['kind'],
  mode: number,
  size: number,
  target: string,
  modified: string,
  touched: string,
  made: 0 | 1,
  inode: string,
  born: string,
];

/** Undefined where nobody needs it any more. */
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

/** Null for what is not there. */
function lineOf(path: string, found: Found | undefined): string {
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

function foundOf([kind, mode, size, target, modified, touched, made, inode, born]: Line): Found {
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
