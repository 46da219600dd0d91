// Records what a call changes: the states of its files before and after, with their bytes in the session's
// blobs.
import { dirname } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { EditedFile, EditorEdits } from '../ports/editor-edits.ts';
import type { FileTree, FileTreeEntry, Touches } from '../ports/file-tree.ts';
import type { ScannedChanges, ScannedCommand, WorkspaceScan } from '../ports/workspace-scan.ts';
import {
  ABSENT_STATE,
  type FileStates,
  isSameState,
  keepEntry,
  keepState,
  MAX_BELOW,
  pathsTouched,
  type Unkeepable,
  withMissingParents,
} from './file-state.ts';
import { PendingBlobs } from './pending-blobs.ts';
import { describeLostVersions, storeScannedChanges } from './scanned-changes.ts';

export interface Changes {
  readonly changes: readonly FileChange[];
  /** What Harness did not examine or did not store, in sentences, one per line. */
  readonly uncovered?: string | undefined;
  /** The part of `uncovered` that the user must see immediately, because a write to the disk failed. */
  readonly trouble?: string | undefined;
}

/** A call that is about to run. */
export interface TrackedCall {
  /**
   * The current states of the paths that the call is about to change. Empty if the paths cannot be known in
   * advance.
   */
  readonly before: FileStates;
  /** Reports what the call has changed. The call is over. */
  changes(): Promise<Changes>;
  /**
   * Only for a command: reports what it has changed so far, while it goes on in the background. The next
   * report has only what is new, marked as `shared`.
   */
  soFar?(): Promise<Changes>;
  /** Only for a command: it outlives its session. `sinceScan` reports what changes after the last `soFar`. */
  leave?(): Promise<void>;
}

/** Reports a failure of `changes` as `uncovered` and `trouble`. Never rejects. */
export async function settledChanges(changes: () => Promise<Changes>): Promise<Changes> {
  try {
    return await changes();
  } catch (error) {
    const trouble = describeUnknownChanges(error);
    return { changes: [], uncovered: trouble, trouble };
  }
}

export function describeUnknownChanges(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return say('Could not store the changes: {0}', reason);
}

export interface ChangePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
  /** Id of the session whose calls are tracked. */
  readonly session?: string | undefined;
  /** Without this port, what a command changes stays unknown. */
  readonly scan?: WorkspaceScan | undefined;
  /** Without this port, Harness assumes that a call changes only the paths that it names. */
  readonly editors?: EditorEdits | undefined;
}

const UNTRACKED: TrackedCall = { before: new Map(), changes: async () => ({ changes: [] }) };

export class ChangeTracker {
  readonly #ports: ChangePorts | undefined;
  /**
   * The states that calls have left. The store may write the next version, even one that the user edited, as
   * a small delta against them.
   */
  readonly #known = new Map<string, FileState>();
  readonly #held = new PendingBlobs();

  /** Without ports, the tracker records nothing. */
  constructor(ports: ChangePorts | undefined) {
    this.#ports = ports;
  }

  /**
   * Writes the buffered versions that the disk did not accept after a command, as far as it accepts them now.
   * Never rejects.
   */
  async keepHeld(): Promise<void> {
    if (this.#ports) await this.#held.writeTo(this.#ports.blobs);
  }

  /**
   * Rejects where the bytes could not be stored, or where `signal` was aborted; the caller must not run the
   * call then. With the id of the call, `sinceScan` can report on it after a crash.
   */
  async begin(
    touches: Touches | undefined,
    { call, signal }: { readonly call?: string; readonly signal: AbortSignal },
  ): Promise<TrackedCall> {
    const ports = this.#ports;
    if (!ports || touches === undefined) return UNTRACKED;
    await this.keepHeld();
    if (touches === 'workspace') return this.#beginScan(ports, call, signal);
    return this.#track(ports, () => pathsTouched(ports.files, touches), signal);
  }

  /** Like `begin`, for a restore. Covers these paths and their missing parents, and nothing below them. */
  async beginAt(paths: readonly string[]): Promise<TrackedCall> {
    const ports = this.#ports;
    return ports ? this.#track(ports, () => withMissingParents(ports.files, paths)) : UNTRACKED;
  }

  /**
   * Reports the changes of an interrupted call, compared with the states `before` that it found. First
   * removes what the dead process left half-done.
   */
  async since(before: FileStates): Promise<Changes> {
    const ports = this.#ports;
    if (!ports) return { changes: [] };
    const paths = [...before.keys()];
    for (const folder of new Set(paths.map((path) => dirname(path)))) await ports.files.tidy(folder);
    const listed = await pathsTouched(ports.files, paths);
    return 'why' in listed ? uncoveredDirectory(listed) : changesSince(ports, listed, before);
  }

  async #track(
    ports: ChangePorts,
    list: () => ReturnType<typeof pathsTouched>,
    signal?: AbortSignal,
  ): Promise<TrackedCall> {
    const listed = await list();
    // Records nothing, because part of a directory is of no use.
    if ('why' in listed) return { before: new Map(), changes: async () => uncoveredDirectory(listed) };
    const before = await keepStates(ports, listed, this.#known, signal);
    const edited = ports.editors?.watch(listed);
    const changes = async () => {
      const besides = await keepEdited(ports, (await edited?.()) ?? []);
      const now = await list();
      if ('why' in now) return uncoveredDirectory(now);
      const made = await changesSince(ports, now, new Map([...besides, ...before]));
      this.#know(made.changes);
      await ports.scan?.absorb(made.changes.map(({ path }) => path));
      return made;
    };
    return { before, changes };
  }

  /** Reports what an interrupted command changed. Resolves with undefined where that is unknown. */
  async sinceScan(call: string): Promise<Changes | undefined> {
    const ports = this.#ports;
    const scanned = await ports?.scan?.resume(commandOf(ports, call));
    return scanned && ports && this.#keep(scanned, ports);
  }

  async #beginScan(ports: ChangePorts, call: string | undefined, signal: AbortSignal): Promise<TrackedCall> {
    if (!ports.scan) return UNTRACKED;
    const scan = await ports.scan.begin(call === undefined ? undefined : commandOf(ports, call), signal);
    return {
      before: new Map(),
      changes: async () => this.#keep(await scan.end(), ports),
      soFar: async () => this.#keep(await scan.soFar(), ports),
      leave: () => scan.leave(),
    };
  }

  async #keep({ changes, uncovered }: ScannedChanges, { blobs }: ChangePorts): Promise<Changes> {
    const kept = await storeScannedChanges(changes, blobs, this.#known);
    this.#know(kept.changes);
    for (const { bytes } of kept.lost) if (bytes) this.#held.add(bytes);
    const sentences = [uncovered, describeLostVersions(kept.lost)].filter(
      (sentence) => sentence !== undefined,
    );
    return {
      changes: kept.changes,
      uncovered: sentences.length > 0 ? sentences.join('\n') : undefined,
      trouble: describeLostVersions(kept.lost.filter(({ bytes }) => bytes)),
    };
  }

  #know(changes: readonly FileChange[]): void {
    for (const { path, after } of changes) this.#known.set(path, after);
  }
}

/** Call ids are unique only in their session. */
function commandOf({ session = '' }: ChangePorts, call: string): ScannedCommand {
  return { session, call };
}

function uncoveredDirectory(directory: Unkeepable): Changes {
  return { changes: [], uncovered: describeUnkeepable(directory) };
}

function describeUnkeepable({ path, why }: Unkeepable): string {
  const { entries, bytes } = MAX_BELOW;
  return why === 'mangled'
    ? say('Changes to {0} as a whole cannot be undone because it contains names that are not UTF-8.', path)
    : say(
        'Changes to {0} as a whole cannot be undone because it contains more than {1} files or {2} MB.',
        path,
        entries,
        bytes / 1_000_000,
      );
}

async function keepStates(
  ports: ChangePorts,
  paths: Iterable<string>,
  like: FileStates,
  signal?: AbortSignal,
): Promise<FileStates> {
  const states = new Map<string, FileState>();
  for (const path of paths) {
    signal?.throwIfAborted();
    const state = await keepState(ports, path, like.get(path));
    if (state) states.set(path, state);
  }
  return states;
}

async function keepEdited(ports: ChangePorts, edited: readonly EditedFile[]): Promise<FileStates> {
  const states = new Map<string, FileState>();
  for (const { path, before } of edited) {
    const now = await ports.files.look(path);
    const mode = now.kind === 'file' ? now.mode : 0o644;
    const entry: FileTreeEntry = { kind: 'file', size: before.length, mode };
    const state = await keepEntry(ports.blobs, entry, async () => before);
    if (state) states.set(path, state);
  }
  return states;
}

async function changesSince(
  ports: ChangePorts,
  touched: ReadonlySet<string>,
  before: FileStates,
): Promise<Changes> {
  const after = await keepStates(ports, new Set([...touched, ...before.keys()]), before);
  const changes = [...after].map(([path, state]) => ({
    path,
    before: before.get(path) ?? ABSENT_STATE,
    after: state,
  }));
  return { changes: changes.filter((change) => !isSameState(change.before, change.after)) };
}
