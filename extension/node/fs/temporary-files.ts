// Names of files that are there for a moment. Each tells which process made it, so that what a dead one left can be found.
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
/** Where process ids mean the same: a container and the system that it runs on may have one name. */
const PLACE = `${HOST}.${namespace()}`;
/** After so long, milliseconds, what was left in a place that cannot be seen from here is nobody's. */
const ABANDONED_MS = 24 * 60 * 60_000;
const NAME = /^\.harness-(\d+)-([\w.]*)-[0-9a-f-]{36}\.(?:tmp|was-(.+))$/s;

/** A name beside `path` that nobody else has. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `${ownName()}.tmp`);
}

/** The same for what lies at `path` now and goes back there, unless something else has taken its place. */
export function asideOf(path: string): string {
  return join(dirname(path), `${ownName()}.was-${basename(path)}`);
}

function ownName(): string {
  return `.harness-${process.pid}-${PLACE}-${randomUUID()}`;
}

/** Linux: the namespace of process ids; elsewhere empty. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '';
  }
}

/** Removes one that is not wanted any more. Never rejects: what stays is removed by the next start. */
export async function discard(temporary: string): Promise<void> {
  await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
}

/** Removes at once what this process has half-done in `folder`: it is about to end. Never throws. */
export function discardAll(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const [, pid, place, was] = NAME.exec(name) ?? [];
      if (Number(pid) === process.pid && place === PLACE && was === undefined)
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // It stays, and goes with the next start.
  }
}

/** Removes what processes of this machine that are dead left half-done in `folder`, and puts back what they had set aside. Never rejects. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, pid, place = '', was] = NAME.exec(name) ?? [];
    const path = join(folder, name);
    if (pid === undefined || !(await isLeft(path, Number(pid), place))) continue;
    // Where it cannot be done, the file is in nobody's way; the next start tries again.
    await settle(path, was === undefined ? undefined : join(folder, was)).catch(() => undefined);
  }
}

async function isLeft(path: string, pid: number, place: string): Promise<boolean> {
  if (place === PLACE) return !isRunning(pid);
  if (place.replace(/\.\d*$/, '') !== HOST) return false;
  // The time of its last rename, too.
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.ctimeMs > ABANDONED_MS;
}

async function settle(left: string, place: string | undefined): Promise<void> {
  if (place !== undefined && !(await ifPresent(lstat(place)))) await rename(left, place);
  else await rm(left, { recursive: true, force: true });
}
