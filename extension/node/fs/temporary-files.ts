// Names of temporary files. Each name states its process, so that a later process can find what a dead one
// left.
import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ifPresent } from './file-errors.ts';
import { isRunning } from './is-running.ts';

const HOST = hostname()
  .replace(/[^\w.]/g, '')
  .slice(0, 40);
/** The system in which a process id is unique. A container and its host may have one name. */
const PLACE = `${HOST}.${namespace()}`;
/**
 * Milliseconds after which a file from another process namespace counts as abandoned, because its process
 * cannot be seen.
 */
const ABANDONED_MS = 24 * 60 * 60_000;
const NAME = /^\.harness-(\d+)-([\w.]*)-[0-9a-f-]{36}\.(?:tmp|was-(.+))$/s;

/** Returns a unique name in the folder of `path`. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `${ownName()}.tmp`);
}

/**
 * Returns a unique name for setting aside the file at `path`. `removeLeftovers` moves the file back, unless
 * another file has taken its place.
 */
export function asideOf(path: string): string {
  return join(dirname(path), `${ownName()}.was-${basename(path)}`);
}

function ownName(): string {
  return `.harness-${process.pid}-${PLACE}-${randomUUID()}`;
}

/** Linux: the namespace of process ids. Empty on other systems. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '';
  }
}

/** Removes a temporary file. Never rejects. The next start removes a file that stays. */
export async function discard(temporary: string): Promise<void> {
  await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Removes this process's temporary files in `folder` synchronously, because the process is about to end.
 * Leaves files that were set aside. Never throws.
 */
export function discardAll(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const [, pid, place, was] = NAME.exec(name) ?? [];
      if (Number(pid) === process.pid && place === PLACE && was === undefined)
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The next start removes what stays.
  }
}

/**
 * Removes temporary files of dead processes of this machine from `folder`, and moves files back that they had
 * set aside. Never rejects.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, pid, place = '', was] = NAME.exec(name) ?? [];
    const path = join(folder, name);
    if (pid === undefined || !(await isLeft(path, Number(pid), place))) continue;
    // If this fails, the file does no harm, and the next start tries again.
    await settle(path, was === undefined ? undefined : join(folder, was)).catch(() => undefined);
  }
}

async function isLeft(path: string, pid: number, place: string): Promise<boolean> {
  if (place === PLACE) return !isRunning(pid);
  if (place.replace(/\.\d*$/, '') !== HOST) return false;
  // A rename changes `ctime`, too.
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.ctimeMs > ABANDONED_MS;
}

async function settle(left: string, place: string | undefined): Promise<void> {
  if (place !== undefined && !(await ifPresent(lstat(place)))) await rename(left, place);
  else await rm(left, { recursive: true, force: true });
}
