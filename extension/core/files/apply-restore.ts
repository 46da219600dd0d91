// Does what a plan says, in an order in which nothing stands in the way of the next step, and looks what came of it.
import { dirname } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { Attempts } from './attempts.ts';
import { isContent, isSameFile, isSameState } from './file-states.ts';
import { lookAt } from './look-at.ts';
import type { PlannedRestore, RestorePorts } from './plan-restore.ts';

/** What the user wants where a file was changed since in another way: their version, or the one of then. */
export type Choices = ReadonlyMap<string, 'mine' | 'restore'>;

/** A path that is to become something else. */
export interface Wanted {
  readonly path: string;
  readonly now: FileState;
  readonly then: FileState;
  /** With the user's edits in it, of what is joined. */
  readonly merged?: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
}

export function wantedOf(plan: readonly PlannedRestore[], choices: Choices): readonly Wanted[] {
  return plan.flatMap(({ path, now, then, step }) => {
    const choice = choices.get(path);
    if (step.kind === 'merge' && choice === undefined) return [{ path, now, then, merged: step }];
    const isAsked = step.kind === 'merge' || step.kind === 'conflict';
    return step.kind === 'restore' || (isAsked && choice === 'restore') ? [{ path, now, then }] : [];
  });
}

/** Resolves with why not, of each path that did not become what was wanted; of those in `refused` that is known before. */
export async function applyRestore(
  wanted: readonly Wanted[],
  ports: RestorePorts,
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string>> {
  const attempts = new Attempts(wanted, refused);
  const { failed } = attempts;
  const outwards = wanted.toSorted((a, b) => (a.path < b.path ? 1 : -1));
  const inwards = outwards.toReversed();
  await attempts.at(wanted, (one) => requireUnchanged(one, ports.files));
  const isInTheWay = inTheWayOf(wanted);
  const remove = ({ path, now }: Wanted) => ports.files.remove(path, now);
  const cleared = outwards.filter(isInTheWay);
  await attempts.at(cleared, remove);
  const spellings = new Set(cleared.map(spellingOf));
  const isOver = (one: Wanted) => isOverwritten(one) && !isInTheWay(one);
  await attempts.at(
    inwards.filter((one) => !isOver(one)),
    async (one) => make(spellings.has(spellingOf(one)) ? await whereCleared(one, ports.files) : one, ports),
  );
  await overwrite(inwards.filter(isOver), attempts, ports);
  await putBack(inwards.filter(inTheWayOf(failed)), ports);
  // What was moved is never gone from both places.
  const missing = failed.find(isContentWanted);
  await attempts.at(
    outwards.filter((one) => isGoing(one) && !isInTheWay(one)),
    (one) => (missing && isContent(one.now) ? refuse(missing) : remove(one)),
  );
  // A directory may be one that nothing can be put into.
  await attempts.at(outwards, ({ path, then }) => setDirectoryMode(path, then, ports.files));
  return attempts.problems;
}

/** What is overwritten may have been moved there from where nothing could be put. */
async function overwrite(
  wanted: readonly Wanted[],
  attempts: Attempts<Wanted>,
  ports: RestorePorts,
): Promise<void> {
  const { failed } = attempts;
  await attempts.at(wanted, (one) => {
    const held = failed.find((each) => mayHold(one, each));
    return held ? refuse(held) : make(one, ports);
  });
  await attempts.at(wanted, async (one) => {
    const held = failed.find(({ then }) => isSameFile(one.now, then));
    if (held) await unmake(one, ports).then(() => refuse(held));
  });
}

async function requireUnchanged({ path, now }: Wanted, files: FileTree): Promise<void> {
  const { state } = await lookAt(files, path);
  const isTooLarge = now.kind === 'file' && now.hash === '';
  if (!isTooLarge && !isSameState(state, now)) throw new Error(say('it was changed at this moment'));
}

/** It may have gone with another spelling of its path. */
async function whereCleared(one: Wanted, files: FileTree): Promise<Wanted> {
  const { state } = await lookAt(files, one.path);
  return state.kind === 'absent' ? { ...one, now: state } : one;
}

function spellingOf({ path }: Wanted): string {
  return path.toLowerCase();
}

/** What had to go for what could not be made. */
async function putBack(gone: readonly Wanted[], ports: RestorePorts): Promise<void> {
  for (const { path, now: then } of gone) {
    const { state } = await lookAt(ports.files, path);
    if (state.kind === 'absent') await make({ path, now: state, then }, ports).catch(() => undefined);
  }
}

function refuse({ path }: Wanted): Promise<never> {
  return Promise.reject(new Error(say('it stays, since {0} could not be put back', path)));
}

function isContentWanted({ then, merged }: Wanted): boolean {
  return isContent(then) || merged !== undefined;
}

function isOverwritten(one: Wanted): boolean {
  return isContent(one.now) && isContentWanted(one) && !isSameFile(one.now, one.then);
}

/** What lies there now may be the last copy of what could not be put where nothing of it is left. */
function mayHold({ now }: Wanted, failed: Wanted): boolean {
  return isContentWanted(failed) && (!isContent(failed.now) || isSameFile(now, failed.then));
}

/** As it was, where nobody has changed it again. */
async function unmake({ path, now: then, then: made }: Wanted, ports: RestorePorts): Promise<void> {
  const { state } = await lookAt(ports.files, path);
  if (isSameFile(state, made)) await make({ path, now: state, then }, ports);
}

function isGoing({ now, then, merged }: Wanted): boolean {
  return now.kind !== 'absent' && then.kind === 'absent' && !merged;
}

/** What has to go first: what becomes a directory; one that becomes something else, with all in it; another spelling of a path. */
export function inTheWayOf(wanted: readonly Wanted[]): (one: Wanted) => boolean {
  const made = wanted.filter(({ then, merged }) => then.kind !== 'absent' || merged);
  const replaced = made.filter(
    ({ now, then }) => now.kind !== 'absent' && (now.kind === 'directory') !== (then.kind === 'directory'),
  );
  const replacedPaths = new Set(replaced.map(({ path }) => path));
  const spellings = new Set(made.map(spellingOf));
  return (one) =>
    replacedPaths.has(one.path) ||
    (isGoing(one) && (spellings.has(spellingOf(one)) || isBelow(one.path, replacedPaths)));
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (folders.has(folder)) return true;
  return false;
}

async function make({ path, now, then, merged }: Wanted, { files, blobs }: RestorePorts): Promise<void> {
  if (merged) return files.write(path, merged.bytes, merged.mode, now);
  if (then.kind === 'link') return files.link(path, then.target, now);
  if (then.kind === 'directory' && now.kind !== 'directory') return files.makeDirectory(path, 0o755);
  if (then.kind !== 'file') return;
  const isSameContent = now.kind === 'file' && now.hash === then.hash;
  if (isSameContent) await files.setMode(path, then.mode);
  else await files.write(path, await blobs.get(then.hash), then.mode, now);
}

async function setDirectoryMode(path: string, then: FileState, files: FileTree): Promise<void> {
  if (then.kind !== 'directory') return;
  const entry = await files.look(path);
  if (entry.kind === 'directory' && entry.mode !== then.mode) await files.setMode(path, then.mode);
}
