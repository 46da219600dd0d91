// Does what a plan says, in an order in which nothing stands in the way of the next step, and looks what came of it.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { isSameState } from './file-states.ts';
import { lookAt, type PlannedRestore, type RestorePorts } from './plan-restore.ts';

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

/** Resolves with why not, of each path that did not become what was wanted. */
export async function applyRestore(
  wanted: readonly Wanted[],
  ports: RestorePorts,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const attempt = async (each: readonly Wanted[], act: (one: Wanted) => Promise<void>) => {
    for (const one of each) {
      if (problems.has(one.path)) continue;
      await act(one).catch((error: Error) => problems.set(one.path, error.message));
    }
  };
  const outwards = wanted.toSorted((a, b) => (a.path < b.path ? 1 : -1));
  const inwards = outwards.toReversed();
  await attempt(wanted, (one) => requireUnchanged(one, ports.files));
  await attempt(outwards.filter(isInTheWay), ({ path }) => ports.files.remove(path));
  await attempt(inwards, (one) => make(one, ports));
  // A directory may be one that nothing can be put into.
  await attempt(outwards, ({ path, then }) => setDirectoryMode(path, then, ports.files));
  return problems;
}

async function requireUnchanged({ path, now }: Wanted, files: FileTree): Promise<void> {
  const { state } = await lookAt(files, path);
  const isTooLarge = now.kind === 'file' && now.hash === '';
  if (!isTooLarge && !isSameState(state, now)) throw new Error(say('it was changed at this moment'));
}

function isInTheWay({ now, then }: Wanted): boolean {
  return (
    now.kind !== 'absent' &&
    (then.kind === 'absent' || (now.kind === 'directory') !== (then.kind === 'directory'))
  );
}

async function make({ path, now, then, merged }: Wanted, { files, blobs }: RestorePorts): Promise<void> {
  if (merged) return files.write(path, merged.bytes, merged.mode);
  if (then.kind === 'link') return files.link(path, then.target);
  if (then.kind === 'directory' && now.kind !== 'directory') return files.makeDirectory(path, 0o755);
  if (then.kind !== 'file') return;
  const isSameContent = now.kind === 'file' && now.hash === then.hash;
  if (isSameContent) await files.setMode(path, then.mode);
  else await files.write(path, await blobs.get(then.hash), then.mode);
}

async function setDirectoryMode(path: string, then: FileState, files: FileTree): Promise<void> {
  if (then.kind !== 'directory') return;
  const entry = await files.look(path);
  if (entry.kind === 'directory' && entry.mode !== then.mode) await files.setMode(path, then.mode);
}
