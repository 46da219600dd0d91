import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { isThereAndBack, type PathChange } from './file-history.ts';
import { isSameState } from './file-states.ts';
import { bytesOf, type Content, isKept, lookAt } from './look-at.ts';
import type { PlannedRestore, RestorePorts, RestoreStep } from './plan-restore.ts';
import { takenBack } from './taken-back.ts';
import { tellBeyond } from './tell-beyond.ts';

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

/** What one path alone needs, whatever becomes of the others. */
export async function planPath(changed: ChangedPath, ports: RestorePorts): Promise<PlannedRestore> {
  const { path, then } = changed;
  const now = await lookAt(ports.files, path);
  const { state, beyond, isLinked } = now;
  const step = await stepOf(changed, now, ports.blobs);
  return { path, then, now: state, ...(beyond && { beyond }), ...(isLinked && { isLinked }), step };
}

async function stepOf(
  { then, changes, all }: ChangedPath,
  now: Content,
  blobs: BlobStore,
): Promise<RestoreStep> {
  const { state } = now;
  const done = withoutUndone(changes, state);
  const isAsThen = isSameState(then, state);
  if (isThereAndBack(changes) && !isAsThen) return { kind: 'identical' };
  const isOther = !isAsThen && !now.beyond && done === changes;
  if (isOther && isUndoneFurther(changes, all, state)) return PUT_BACK_FURTHER;
  const result = (await takenBack(now, done, blobs)) ?? (isAsThen ? now : undefined);
  const isLeft = result && isNewFile(then, result) && isSameState(result.state, state);
  return result && !isLeft ? stepTo(result, then, now, blobs) : whyNot(now, done);
}

async function stepTo(
  result: Content,
  then: FileState,
  now: Content,
  blobs: BlobStore,
): Promise<RestoreStep> {
  const isAsNow = isSameState(result.state, now.state);
  if (isAsNow && !now.isUnsaved) return { kind: 'identical' };
  if (!isAsNow && isSameState(result.state, then))
    return { kind: (await isKept(then, blobs)) ? 'restore' : 'unkept' };
  const bytes = await bytesOf(result, blobs);
  if (!bytes || result.state.kind !== 'file') return { kind: 'unkept' };
  const why = isNewFile(then, result) ? say('the file was new, and stays as you had edited it') : undefined;
  return { kind: 'merge', bytes, mode: result.state.mode, why };
}

/** What the user had made of it stays, and with it what it was made of. */
function isNewFile(then: FileState, { state }: Content): boolean {
  return then.kind === 'absent' && state.kind === 'file';
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
