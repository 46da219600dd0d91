// What a scan has found, with its bytes in the session's blobs, as far as they can be read and the disk takes them.
import type { FileChange, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { versionOf } from '../base/content-hash.ts';
import { firstNames } from '../base/text/truncate.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ScannedChange, ScannedEntry } from '../ports/workspace-scan.ts';
import { describeFailure } from './describe-failure.ts';
import { type FileStates, keepEntry, unkept } from './file-state.ts';

/** A version that is not kept, although it should have been. */
export interface LostVersion {
  readonly path: string;
  readonly error: Error;
  /** Where they were there, and could not be written. */
  readonly bytes: Uint8Array | undefined;
}

interface Keeping {
  readonly blobs: BlobStore;
  readonly lose: (lost: Omit<LostVersion, 'path'>) => void;
}

/** What could not be kept is recorded without its bytes. `known` has versions beside which the next ones take little room. */
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

/** Undefined where nothing is lost. */
export function describeLostVersions(lost: readonly LostVersion[]): string | undefined {
  const [first] = lost;
  if (!first) return undefined;
  const paths = [...new Set(lost.map(({ path }) => path))];
  return say(
    'What {0} changed files held before or hold now could not be kept ({1}): {2}.',
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
