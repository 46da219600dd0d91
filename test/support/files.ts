// What the product does with files, seen from outside: each operation on a path passes through the test on its way to the
// system. Nothing of the product knows of it.
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

export interface FileOperation {
  /** As in `node:fs/promises`; those of an open file as `handle.write`. */
  readonly name: string;
  /** The first one that it names; of a link, its own. */
  readonly path: string;
  readonly args: readonly unknown[];
  /** Tells one open file from another. */
  readonly handle?: FileHandle;
}

type Perform = () => Promise<unknown>;
type Around = (operation: FileOperation, perform: Perform) => Promise<unknown>;
type Functions = Record<string, (...args: unknown[]) => Promise<unknown>>;

const PATHS = [
  ...['access', 'appendFile', 'chmod', 'copyFile', 'lchown', 'link', 'lstat', 'lutimes', 'mkdir', 'open'],
  ...['opendir', 'readFile', 'readdir', 'readlink', 'realpath', 'rename', 'rm', 'rmdir', 'stat', 'symlink'],
  ...['unlink', 'utimes', 'writeFile'],
];
const HANDLES = [
  'chmod',
  'chown',
  'close',
  'datasync',
  'read',
  'stat',
  'sync',
  'truncate',
  'write',
  'writeFile',
];

/** From now on every operation below `folder` goes through `around`, until what is returned is called. */
export function watchFiles(folder: string, around: Around): () => void {
  // The module's functions by their names: all take a path and return a promise.
  const functions = fs.promises as unknown as Functions;
  const originals = PATHS.map((name) => [name, functions[name]] as const);
  for (const [name, original] of originals) {
    if (!original) continue;
    functions[name] = async (...args) => {
      const path = String(args[name === 'symlink' ? 1 : 0]);
      if (path !== folder && !path.startsWith(folder + sep)) return original(...args);
      const result = await around({ name, path, args }, () => original(...args));
      return name === 'open' ? watchHandle(result as FileHandle, path, around) : result;
    };
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of originals) if (original) functions[name] = original;
    syncBuiltinESMExports();
  };
}

function watchHandle(handle: FileHandle, path: string, around: Around): FileHandle {
  const functions = handle as unknown as Functions;
  for (const name of HANDLES) {
    const original = functions[name]?.bind(handle);
    if (!original) continue;
    functions[name] = (...args) =>
      around({ name: `handle.${name}`, path, args, handle }, () => original(...args));
  }
  return handle;
}

/** What a broken disk, or a full one, answers to an operation of this kind. */
function codeOf(name: string): string {
  if (/write|append|copy/.test(name)) return 'ENOSPC';
  if (name.startsWith('open')) return 'EMFILE';
  return /sync|read|stat|close/i.test(name) ? 'EIO' : 'EROFS';
}

export function failure(name: string, path: string): NodeJS.ErrnoException {
  const code = codeOf(name);
  return Object.assign(new Error(`${code}: it fails, ${name} '${path}'`), { code });
}

export interface Faults {
  /** Operations so far. */
  readonly count: number;
  /** The one that failed first. */
  readonly first: string;
  /** Paths of files that are open. */
  readonly open: readonly string[];
  /** From now on everything works. */
  mend(): void;
  stop(): void;
}

/** Operation `nth` (from 1) below `folder` fails; with `lasting`, so does every one after it, until `mend`. */
export function failFiles(folder: string, nth: number, lasting: boolean): Faults {
  let count = 0;
  let first = '';
  let isRepaired = false;
  const open = new Map<unknown, string>();
  const stop = watchFiles(folder, async (operation, perform) => {
    count += 1;
    if (operation.name === 'handle.close') open.delete(operation.handle);
    const isTorn = operation.handle !== undefined && torn.delete(operation.handle);
    if (isTorn && operation.name === 'handle.write') throw failure(operation.name, operation.path);
    if (isRepaired || count < nth || (count > nth && !lasting)) {
      const result = await perform();
      if (operation.name === 'open') open.set(result, operation.path);
      return result;
    }
    first ||= `${operation.name} ${operation.path.replace(folder, '')}`;
    return fail(operation, perform);
  });
  return {
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    get open() {
      return [...open.values()];
    },
    mend: () => {
      isRepaired = true;
    },
    stop,
  };
}

/** Open files that have taken the half of a write: the next one tells that it fails. */
const torn = new WeakSet<FileHandle>();

/** A write leaves the half of what it was given, as on a disk that gets full; a file is closed all the same. */
async function fail({ name, path, args, handle }: FileOperation, perform: Perform): Promise<unknown> {
  if (name === 'handle.close') await perform();
  const [bytes] = args;
  if (name !== 'handle.write' || !handle || !(bytes instanceof Uint8Array)) throw failure(name, path);
  torn.add(handle);
  return { bytesWritten: fs.writeSync(handle.fd, bytes.subarray(0, bytes.length / 2)), buffer: bytes };
}
