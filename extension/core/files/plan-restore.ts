// What has to be done so that files are again as they were when an event had happened, without losing what the user has
// done to them since. Nothing is changed here.
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Beyond, FileTree } from '../ports/file-tree.ts';
import type { FileHistory, PathChange } from './file-history.ts';
import { isSameState } from './file-states.ts';
import { fitTogether } from './fit-together.ts';
import type { Changed } from './heirs.ts';
import { bytesOf, type Content, isKept, lookAt } from './look-at.ts';
import { withMoved } from './moved-contents.ts';
import { takenBack } from './taken-back.ts';
import { tellBeyond } from './tell-beyond.ts';

export type RestoreStep =
  /** It is as it was. */
  | { readonly kind: 'identical' }
  /** It becomes what it was. */
  | { readonly kind: 'restore' }
  /** It becomes what it was, with what the user has done to it since. */
  | { readonly kind: 'merge'; readonly bytes: Uint8Array; readonly mode: number }
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

/** Of every path that the session has changed behind event `seq`, in the order of the paths. */
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
  return fitTogether(withAsked(withMoved(plan), changed), changed, ports);
}

/** Why what was done to a path is not taken back unasked, as the end of a sentence. */
function whyAsked(changes: readonly PathChange[]): string | undefined {
  if (changes.some(({ shared }) => shared))
    return say('a command of another session, which ran at the same time, may have changed it');
  const isBrought = changes.some(
    ({ after }) => (after.kind === 'link' || after.kind === 'directory') && after.brought,
  );
  return isBrought ? say('it may have been moved here from elsewhere') : undefined;
}

function withAsked(plan: readonly PlannedRestore[], changed: Changed): readonly PlannedRestore[] {
  return plan.map((planned) => {
    const { path, step } = planned;
    const why = whyAsked(changed.get(path) ?? []);
    const isDone = step.kind === 'restore' || step.kind === 'merge';
    return why && isDone ? { ...planned, step: { kind: 'conflict', why } } : planned;
  });
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

interface ChangedPath {
  readonly path: string;
  readonly then: FileState;
  /** Those that are to be taken back, oldest first. */
  readonly changes: readonly PathChange[];
  readonly all: readonly PathChange[];
}

const PUT_BACK_FURTHER: RestoreStep = {
  kind: 'conflict',
  why: say('you have put it back further, to what it had been before'),
  isUndone: true,
};

async function planPath(
  { path, then, changes, all }: ChangedPath,
  ports: RestorePorts,
): Promise<PlannedRestore> {
  const now = await lookAt(ports.files, path);
  const done = withoutUndone(changes, now.state);
  const { state, beyond, isLinked, isUnsaved } = now;
  const planned = { path, then, now: state, ...(beyond && { beyond }), ...(isLinked && { isLinked }) };
  const isAsThen = isSameState(then, state);
  if (!isAsThen && done === changes && isUndoneFurther(changes, all, state))
    return { ...planned, step: PUT_BACK_FURTHER };
  const result = (await takenBack(now, done, ports.blobs)) ?? (isAsThen ? now : undefined);
  if (!result) return { ...planned, step: whyNot(now, done) };
  const isAsNow = isSameState(result.state, state);
  if (isAsNow && !isUnsaved) return { ...planned, step: { kind: 'identical' } };
  if (!isAsNow && isSameState(result.state, then))
    return { ...planned, step: { kind: (await isKept(then, ports.blobs)) ? 'restore' : 'unkept' } };
  const bytes = await bytesOf(result, ports.blobs);
  if (!bytes || result.state.kind !== 'file') return { ...planned, step: { kind: 'unkept' } };
  return { ...planned, step: { kind: 'merge', bytes, mode: result.state.mode } };
}

function whyNot({ why, beyond }: Content, changes: readonly PathChange[]): RestoreStep {
  const isKnown = changes.every(({ after }) => after.kind !== 'file' || after.hash !== '');
  if (!isKnown) return { kind: 'unkept', why: say('what was made of it was not read') };
  return { kind: 'conflict', why: why ?? (beyond && tellBeyond(beyond)) };
}

/** Where again lies what a change had found, the user has undone that change, and those behind it, by hand. */
function withoutUndone(changes: readonly PathChange[], now: FileState): readonly PathChange[] {
  const last = changes.at(-1);
  if (last && isSameState(last.after, now)) return changes;
  const undone = changes.findLastIndex(({ before }) => isSameState(before, now));
  return undone < 0 ? changes : changes.slice(0, undone);
}

/** Where again lies what was there before calls of earlier runs, the user has undone all of these calls by hand, and more. */
function isUndoneFurther(
  changes: readonly PathChange[],
  all: readonly PathChange[],
  now: FileState,
): boolean {
  const [first, last] = [changes.at(0), changes.at(-1)];
  const isByCall = changes.some(({ by }) => by === 'tool');
  if (!first || !last || !isByCall || isSameState(last.after, now)) return false;
  let found = first.before;
  for (const { before, after } of all.filter(({ seq }) => seq < first.seq).toReversed()) {
    // Somebody else has had a hand in it: what they have made of it is no call's.
    if (!isSameState(after, found)) return false;
    if (isSameState(before, now)) return true;
    found = before;
  }
  return false;
}
