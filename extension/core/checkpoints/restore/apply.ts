// Executes a plan in an order in which no step blocks the next one, and records which paths failed.
import { dirname } from 'node:path';
import type { FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import type { FileTree } from '../../ports/file-tree.ts';
import { readState } from '../current-state.ts';
import { describeFailure } from '../describe-failure.ts';
import { isContent, isSameState } from '../file-state.ts';
import type { Choices, PlannedRestore, RestorePorts, RestoreTarget } from './types.ts';

export function restoreTargets(plan: readonly PlannedRestore[], choices: Choices): readonly RestoreTarget[] {
  return plan.flatMap(({ path, now, then, step }) => {
    const choice = choices.get(path);
    if (step.kind === 'merge' && choice === undefined) return [{ path, now, then, merged: step }];
    const isAsked = step.kind === 'merge' || step.kind === 'conflict';
    return step.kind === 'restore' || (isAsked && choice === 'restore') ? [{ path, now, then }] : [];
  });
}

/**
 * Resolves with the reason for each path that did not become what was wanted. The paths in `refused` are not
 * tried; their reasons are part of the result.
 */
export async function applyRestore(
  wanted: readonly RestoreTarget[],
  ports: RestorePorts,
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string>> {
  const attempts = new Attempts(wanted, refused);
  const { failed } = attempts;
  const outwards = wanted.toSorted((a, b) => (a.path < b.path ? 1 : -1));
  const inwards = outwards.toReversed();
  await attempts.at(wanted, (one) => requireUnchanged(one, ports.files));
  const isInTheWay = blocks(wanted);
  const remove = ({ path, now }: RestoreTarget) => ports.files.remove(path, now);
  const cleared = outwards.filter(isInTheWay);
  await attempts.at(cleared, remove);
  const spellings = new Set(cleared.map(spellingOf));
  await attempts.at(inwards, async (one) =>
    make(spellings.has(spellingOf(one)) ? await whereCleared(one, ports.files) : one, ports),
  );
  await putBack(inwards.filter(blocks(failed)), ports);
  // If a file could not be put back, no file or link is removed, so that the user can repeat the restore.
  const missing = failed.find(isContentWanted);
  await attempts.at(
    outwards.filter((one) => isGoing(one) && !isInTheWay(one)),
    (one) => (missing && isContent(one.now) ? refuse(missing) : remove(one)),
  );
  // Modes come last, because a directory's mode may forbid adding entries to it.
  await attempts.at(outwards, ({ path, then }) => setDirectoryMode(path, then, ports.files));
  return attempts.problems;
}

async function requireUnchanged({ path, now }: RestoreTarget, files: FileTree): Promise<void> {
  const { state } = await readState(files, path);
  const isTooLarge = now.kind === 'file' && now.hash === '';
  if (!isTooLarge && !isSameState(state, now)) throw new Error(say('it has just changed'));
}

/** On a case-insensitive disk, the path may have been removed with another spelling of it. */
async function whereCleared(one: RestoreTarget, files: FileTree): Promise<RestoreTarget> {
  const { state } = await readState(files, one.path);
  return state.kind === 'absent' ? { ...one, now: state } : one;
}

function spellingOf({ path }: RestoreTarget): string {
  return path.toLowerCase();
}

/** Puts back what was removed to make room for something that could not be made. */
async function putBack(gone: readonly RestoreTarget[], ports: RestorePorts): Promise<void> {
  for (const { path, now: then } of gone) {
    const { state } = await readState(ports.files, path);
    if (state.kind === 'absent') await make({ path, now: state, then }, ports).catch(() => undefined);
  }
}

function refuse({ path }: RestoreTarget): Promise<never> {
  return Promise.reject(new Error(say('it stays because {0} could not be restored', path)));
}

function isContentWanted({ then, merged }: RestoreTarget): boolean {
  return isContent(then) || merged !== undefined;
}

function isGoing({ now, then, merged }: RestoreTarget): boolean {
  return now.kind !== 'absent' && then.kind === 'absent' && !merged;
}

/**
 * Returns a test for what must be removed first. That is a file or link that becomes a directory, or a
 * directory that becomes another kind. It is also everything to be removed in such a directory, and another
 * spelling of a path that is made.
 */
export function blocks(wanted: readonly RestoreTarget[]): (one: RestoreTarget) => boolean {
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

async function make(
  { path, now, then, merged }: RestoreTarget,
  { files, blobs }: RestorePorts,
): Promise<void> {
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

/** Runs steps at paths. Skips a path where an earlier step failed. */
export class Attempts<Item extends { readonly path: string }> {
  readonly #problems: Map<string, string>;
  readonly #failed: Item[];

  /** `refused`: the paths at which nothing is tried, with the reasons. */
  constructor(items: readonly Item[], refused: ReadonlyMap<string, string>) {
    this.#problems = new Map(refused);
    this.#failed = items.filter(({ path }) => refused.has(path));
  }

  /** The reason for each path that failed or was refused. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  /** The items that have failed so far, the refused ones included. */
  get failed(): readonly Item[] {
    return this.#failed;
  }

  async at(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
    for (const item of items) {
      if (this.#problems.has(item.path)) continue;
      await act(item).catch((error: Error) => {
        this.#problems.set(item.path, describeFailure(error));
        this.#failed.push(item);
      });
    }
  }
}
