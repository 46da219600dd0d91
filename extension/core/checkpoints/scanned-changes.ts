// Records what a scan found. Stores the bytes that can be read and that the disk accepts.
import type { FileChange, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { versionOf } from '../base/content-hash.ts';
import { firstNames } from '../base/text/truncate.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ScannedChange, ScannedEntry } from '../ports/workspace-scan.ts';
import { describeFailure } from './describe-failure.ts';
import { type FileStates, keepEntry, unkept } from './file-state.ts';

/** A version that should have been stored, and was not. */
export interface LostVersion {
  readonly path: string;
  readonly error: Error;
  /** The bytes, where Harness could read but not write them. */
  readonly bytes: Uint8Array | undefined;
}

interface Keeping {
  readonly blobs: BlobStore;
  readonly lose: (lost: Omit<LostVersion, 'path'>) => void;
}

/**
 * Records a version that cannot be stored without its bytes. `known` holds states against which the store may
 * write small deltas.
 */
export async function storeScannedChanges(
  scanned: readonly ScannedChange[],
  blobs: BlobStore,
  known: FileStates,
): Promise<{ readonly changes: readonly FileChange[]; readonly lost: readonly LostVersion[] }> {
  const changes: FileChange[] = [];
  const lost: LostVersion[] = [];
  for (const { path, before: old, after: now, isShared } of scanned) {
    const keeping: Keeping = { blobs, lose: (version) => lost.push({ path, ...version }) };
    const before = await keepSide(old, keeping, known.get(path));
    const after = await keepSide(now, keeping, before);
    if (before && after) changes.push({ path, before, after, ...(isShared && { shared: true as const }) });
  }
  return { changes, lost };
}

/** Returns undefined where nothing is lost. */
export function describeLostVersions(lost: readonly LostVersion[]): string | undefined {
  const [first] = lost;
  if (!first) return undefined;
  const paths = [...new Set(lost.map(({ path }) => path))];
  return say(
    'Could not store the contents of {0} changed files ({1}): {2}.',
    paths.length,
    describeFailure(first.error),
    firstNames(paths),
  );
}

async function keepSide(
  { bytes, hash, ...entry }: ScannedEntry,
  { blobs, lose }: Keeping,
  like?: FileState,
): Promise<FileState | undefined> {
  if (entry.kind !== 'file') return keepEntry(blobs, entry, NEVER);
  const unread = unkept(entry);
  let content: Uint8Array | undefined;
  const read = async () => (content = await (bytes ?? NEVER)());
  try {
    if (hash) return { ...unread, hash: await hash() };
    return bytes ? await keepEntry(blobs, entry, read, like) : unread;
  } catch (error) {
    lose({ error: error as Error, bytes: content });
    return content ? { ...unread, hash: versionOf(content) } : unread;
  }
}

const NEVER = () => Promise.reject(new Error('it was never kept'));
