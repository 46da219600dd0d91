// What has to be done so that files are again as they were when an event had happened, without losing what the user has
// done to them since. Nothing is changed here.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Beyond, FileTree } from '../ports/file-tree.ts';
import { type FileHistory, isThereAndBack, type PathChange } from './file-history.ts';
import { isSameState } from './file-states.ts';
import { fitTogether } from './fit-together.ts';
import type { Changed } from './heirs.ts';
import { withMoved } from './moved-contents.ts';
import { planPath } from './plan-path.ts';

export type RestoreStep =
  /** It is as it was. */
  | { readonly kind: 'identical' }
  /** It becomes what it was. */
  | { readonly kind: 'restore' }
  /** It becomes what it was, with what the user has done to it since. `why` not quite, as the end of a sentence. */
  | {
      readonly kind: 'merge';
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly why?: string | undefined;
    }
  /**
   * It was changed since in a way that cannot be joined with what it was. `why`, the end of a sentence, where there is more
   * to say. `isUndone`: what the session has done to it since is gone all the same.
   */
  | { readonly kind: 'conflict'; readonly why?: string | undefined; readonly isUndone?: true }
  /** What it was, or what it was made, is not known. */
  | { readonly kind: 'unkept'; readonly why?: string | undefined }
  /** A directory that holds what is not of the session. */
  | { readonly kind: 'occupied' };

export interface PlannedRestore {
  /** Absolute. */
  readonly path: string;
  readonly then: FileState;
  readonly now: FileState;
  /** Nothing is there, since something else is in the way of its path. */
  readonly beyond?: Beyond | undefined;
  /** The file has other names, too, which may keep what it holds now. */
  readonly isLinked?: boolean | undefined;
  readonly step: RestoreStep;
  /** What is done once no file stays of which this may hold what it was. */
  readonly otherwise?: RestoreStep | undefined;
}

export interface RestorePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
}

/**
 * Of every path that the session has changed behind event `seq`, in the order of the paths. What calls have left as they
 * had found it (a branch checked out there and back) is the user's since, whatever they have made of it.
 */
export async function planRestore(
  history: FileHistory,
  seq: number,
  ports: RestorePorts,
): Promise<readonly PlannedRestore[]> {
  const plan: PlannedRestore[] = [];
  const changed = history.changedSince(seq);
  for (const [path, changes] of [...changed].sort(byPath)) {
    const then = history.foundSince(path, seq);
    if (then) plan.push(await planPath({ path, then, changes, all: history.changesOf(path) }, ports));
  }
  const fitted = await fitTogether(withAsked(withMoved(plan), changed, history), changed, ports);
  const isTheirs = ({ path, then, now }: PlannedRestore) =>
    isThereAndBack(changed.get(path) ?? []) && !isSameState(then, now);
  return fitted.filter((planned) => !isTheirs(planned));
}

/** Why what was done to a path is not taken back unasked, as the end of a sentence. */
function whyAsked(changes: readonly PathChange[], history: FileHistory): string | undefined {
  if (changes.some(({ shared }) => shared))
    return say('a command of another session, which ran at the same time, may have changed it');
  if (changes.every(({ by }) => by === 'restore') && changes.some(({ id }) => history.isRedone(id)))
    return say('it stayed as it was when you redid the rest');
  const isBrought = changes.some(
    ({ after }) => (after.kind === 'link' || after.kind === 'directory') && after.brought,
  );
  return isBrought ? say('it may have been moved here from elsewhere') : undefined;
}

function withAsked(
  plan: readonly PlannedRestore[],
  changed: Changed,
  history: FileHistory,
): readonly PlannedRestore[] {
  return plan.map((planned) => {
    const { path, step } = planned;
    const why = whyAsked(changed.get(path) ?? [], history);
    const isDone = step.kind === 'restore' || step.kind === 'merge';
    return why && isDone ? { ...planned, step: { kind: 'conflict', why } } : planned;
  });
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
