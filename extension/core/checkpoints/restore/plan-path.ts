import type { FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { versionOf } from '../../base/content-hash.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { describeBlockedPath, isKept, type PathContent, readState, storedBytesOf } from '../current-state.ts';
import { isThereAndBack, type JoinedChange, joinChanges, type PathChange } from '../file-history.ts';
import { hasSameBytes, isSameState } from '../file-state.ts';
import { chooseOf, mergeFiles } from '../three-way-merge.ts';
import type { PlannedRestore, RestorePorts, RestoreStep } from './types.ts';

interface ChangedPath {
  readonly path: string;
  readonly then: FileState;
  /** The changes to undo, oldest first. */
  readonly changes: readonly PathChange[];
  readonly all: readonly PathChange[];
}

const PUT_BACK_FURTHER: RestoreStep = {
  kind: 'conflict',
  why: say('you have restored it to an even earlier version'),
  isUndone: true,
};

/** Plans what one path alone needs, without regard to the others. */
export async function planPath(changed: ChangedPath, ports: RestorePorts): Promise<PlannedRestore> {
  const { path, then } = changed;
  const now = await readState(ports.files, path);
  const { state, beyond, isLinked } = now;
  const step = await stepOf(changed, now, ports.blobs);
  return { path, then, now: state, ...(beyond && { beyond }), ...(isLinked && { isLinked }), step };
}

async function stepOf(
  { then, changes, all }: ChangedPath,
  now: PathContent,
  blobs: BlobStore,
): Promise<RestoreStep> {
  const { state } = now;
  const done = withoutUndone(changes, state);
  const isAsThen = isSameState(then, state);
  if (isThereAndBack(changes) && !isAsThen) return { kind: 'identical' };
  const isOther = !isAsThen && !now.beyond && done === changes;
  if (isOther && isUndoneFurther(changes, all, state)) return PUT_BACK_FURTHER;
  const result = (await revertChanges(now, done, blobs)) ?? (isAsThen ? now : undefined);
  const isLeft = result && isNewFile(then, result) && isSameState(result.state, state);
  return result && !isLeft ? stepTo(result, then, now, blobs) : whyNot(now, done);
}

async function stepTo(
  result: PathContent,
  then: FileState,
  now: PathContent,
  blobs: BlobStore,
): Promise<RestoreStep> {
  const isAsNow = isSameState(result.state, now.state);
  if (isAsNow && !now.isUnsaved) return { kind: 'identical' };
  if (!isAsNow && isSameState(result.state, then))
    return { kind: (await isKept(then, blobs)) ? 'restore' : 'unkept' };
  const bytes = await storedBytesOf(result, blobs);
  if (!bytes || result.state.kind !== 'file') return { kind: 'unkept' };
  const why = isNewFile(then, result) ? say('the file was new and stays as you edited it') : undefined;
  return { kind: 'merge', bytes, mode: result.state.mode, why };
}

/**
 * Whether a file would be left where nothing was. It holds the user's edits, so it stays, with the session's
 * text that they changed.
 */
function isNewFile(then: FileState, { state }: PathContent): boolean {
  return then.kind === 'absent' && state.kind === 'file';
}

function whyNot({ why, beyond }: PathContent, changes: readonly PathChange[]): RestoreStep {
  const isKnown = changes.every(({ after }) => after.kind !== 'file' || after.hash !== '');
  if (!isKnown) return { kind: 'unkept', why: say('its changed contents were not read') };
  return { kind: 'conflict', why: why ?? (beyond && describeBlockedPath(beyond)) };
}

/**
 * Leaves out changes that the user has undone by hand. If the path is again as a change found it, the user
 * has undone that change and all later ones.
 */
function withoutUndone(changes: readonly PathChange[], now: FileState): readonly PathChange[] {
  const last = changes.at(-1);
  if (last && isSameState(last.after, now)) return changes;
  const undone = changes.findLastIndex(({ before }) => isSameState(before, now));
  return undone < 0 ? changes : changes.slice(0, undone);
}

/**
 * Whether the user has undone all of these calls by hand, and more. Then the path is as it was before calls
 * of earlier runs.
 */
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
    // The user or another program changed the path in between, and that change belongs to no call.
    if (!isSameState(after, found)) return false;
    if (isSameState(before, now)) return true;
    found = before;
  }
  return false;
}

/** Returns `now` without what the session has done. Undefined where the two cannot be separated. */
export async function revertChanges(
  now: PathContent,
  changes: readonly PathChange[],
  blobs: BlobStore,
): Promise<PathContent | undefined> {
  const isOwn = ({ by }: PathChange) => by !== 'review';
  return (
    (await withoutAll(now, joinChanges(changes), blobs)) ??
    // If not everything can be undone, rejections stay, like other edits of the user.
    (await withoutAll(now, joinChanges(changes.filter(isOwn)), blobs, true))
  );
}

/**
 * Takes the joined changes back, newest first. `isLeft`: what the user made of a file that the session
 * created stays.
 */
async function withoutAll(
  now: PathContent,
  joined: readonly JoinedChange[],
  blobs: BlobStore,
  isLeft = false,
): Promise<PathContent | undefined> {
  let content: PathContent | undefined = now;
  for (const change of joined.toReversed()) {
    const { before, after } = change;
    const isOfBetween = isLeft && content !== now && before.kind === 'absent';
    if (isOfBetween && content?.state.kind === 'file' && !isSameState(content.state, after)) continue;
    content = content && (await without(change, content, blobs));
  }
  return content;
}

async function without(
  { before, after }: JoinedChange,
  content: PathContent,
  blobs: BlobStore,
): Promise<PathContent | undefined> {
  if (isSameState(content.state, after)) return { state: before };
  if (isSameState(content.state, before)) return content;
  const { state } = content;
  if (state.kind === 'directory' && after.kind === 'directory') return { state: before };
  if (state.kind !== 'file' || before.kind !== 'file' || after.kind !== 'file') return undefined;
  const mode = chooseOf(after.mode, state.mode, before.mode);
  if (hasSameBytes(state, after)) return { state: { ...before, mode } };
  if (hasSameBytes(after, before)) return { ...content, state: { ...state, mode } };
  const [base, theirs, mine] = await Promise.all([
    storedBytesOf({ state: after }, blobs),
    storedBytesOf({ state: before }, blobs),
    storedBytesOf(content, blobs),
  ]);
  const bytes = base && theirs && mine && mergeFiles(base, mine, theirs);
  return bytes && { state: { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode }, bytes };
}
