import type { BlobStore } from '../ports/blob-store.ts';
import { versionOf } from '../tools/version.ts';
import { type PathChange, type Stretch, stretchesOf } from './file-history.ts';
import { isSameFile, isSameState } from './file-states.ts';
import { bytesOf, type Content } from './look-at.ts';
import { chooseOf, mergeFiles } from './merge-texts.ts';

/** `now` without what the session has done. Undefined where that cannot be told apart. */
export async function takenBack(
  now: Content,
  changes: readonly PathChange[],
  blobs: BlobStore,
): Promise<Content | undefined> {
  const isOwn = ({ by }: PathChange) => by !== 'review';
  return (
    (await withoutAll(now, stretchesOf(changes), blobs)) ??
    // Where not all of it goes, a rejection stays, as any edit of the user's.
    (await withoutAll(now, stretchesOf(changes.filter(isOwn)), blobs, true))
  );
}

/** The newest stretch first. `isLeft`: what the user had made of a new file of ours stays theirs. */
async function withoutAll(
  now: Content,
  stretches: readonly Stretch[],
  blobs: BlobStore,
  isLeft = false,
): Promise<Content | undefined> {
  let content: Content | undefined = now;
  for (const stretch of stretches.toReversed()) {
    const { before, after } = stretch;
    const isOfBetween = isLeft && content !== now && before.kind === 'absent';
    if (isOfBetween && content?.state.kind === 'file' && !isSameState(content.state, after)) continue;
    content = content && (await without(stretch, content, blobs));
  }
  return content;
}

async function without(
  { before, after }: Stretch,
  content: Content,
  blobs: BlobStore,
): Promise<Content | undefined> {
  if (isSameState(content.state, after)) return { state: before };
  if (isSameState(content.state, before)) return content;
  const { state } = content;
  if (state.kind === 'directory' && after.kind === 'directory') return { state: before };
  if (state.kind !== 'file' || before.kind !== 'file' || after.kind !== 'file') return undefined;
  const mode = chooseOf(after.mode, state.mode, before.mode);
  if (isSameFile(state, after)) return { state: { ...before, mode } };
  if (isSameFile(after, before)) return { ...content, state: { ...state, mode } };
  const [base, theirs, mine] = await Promise.all([
    bytesOf({ state: after }, blobs),
    bytesOf({ state: before }, blobs),
    bytesOf(content, blobs),
  ]);
  const bytes = base && theirs && mine && mergeFiles(base, mine, theirs);
  return bytes && { state: { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode }, bytes };
}
