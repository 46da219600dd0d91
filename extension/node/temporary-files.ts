// Names of files that are there for a moment. Each tells which process made it, so that what a dead one left can be found.
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ifPresent } from './file-errors.ts';
import { isRunning } from './is-running.ts';

const HOST = hostname()
  .replace(/[^\w.]/g, '')
  .slice(0, 40);
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
  return `.harness-${process.pid}-${HOST}-${randomUUID()}`;
}

/** Removes one that is not wanted any more. Never rejects: what stays is removed by the next start. */
export async function discard(temporary: string): Promise<void> {
  await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
}

/** Removes at once what this process has half-done in `folder`: it is about to end. Never throws. */
export function discardAll(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const [, pid, host, was] = NAME.exec(name) ?? [];
      if (Number(pid) === process.pid && host === HOST && was === undefined)
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
    const [, pid, host, was] = NAME.exec(name) ?? [];
    if (pid === undefined || host !== HOST || isRunning(Number(pid))) continue;
    // Where it cannot be done, the file is in nobody's way; the next start tries again.
    await settle(join(folder, name), was === undefined ? undefined : join(folder, was)).catch(
      () => undefined,
    );
  }
}

async function settle(left: string, place: string | undefined): Promise<void> {
  if (place !== undefined && !(await ifPresent(lstat(place)))) await rename(left, place);
  else await rm(left, { recursive: true, force: true });
}
