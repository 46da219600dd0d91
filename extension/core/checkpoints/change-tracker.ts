// What a call changes: the states of its files before and after it, their bytes in the session's blobs.
import { dirname } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { EditedFile, EditorEdits } from '../ports/editor-edits.ts';
import type { Entry, FileTree, Touches } from '../ports/file-tree.ts';
import type { ScannedChanges, WorkspaceScan } from '../ports/workspace-scan.ts';
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
  /** What was not looked at, or not kept, in sentences, one a line. */
  readonly uncovered?: string | undefined;
  /** Of that, what the disk did not take: the user has to know at once. */
  readonly trouble?: string | undefined;
}

/** A call that is about to run. */
export interface TrackedCall {
  /** What it is about to change, as that is now. Empty where nobody can know before. */
  readonly before: FileStates;
  /** What it has changed by now. */
  changes(): Promise<Changes>;
}

/** What cannot be found out or kept is told instead. Never rejects. */
export async function toldChanges(changes: () => Promise<Changes>): Promise<Changes> {
  try {
    return await changes();
  } catch (error) {
    const trouble = describeUnknownChanges(error);
    return { changes: [], uncovered: trouble, trouble };
  }
}

export function describeUnknownChanges(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return say('What it changed could not be kept: {0}', reason);
}

export interface ChangePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
  /** The session whose calls these are. */
  readonly session?: string | undefined;
  /** Without it nobody knows what a command has changed. */
  readonly scan?: WorkspaceScan | undefined;
  /** Without it calls change what they name alone. */
  readonly editors?: EditorEdits | undefined;
}

const UNTRACKED: TrackedCall = { before: new Map(), changes: async () => ({ changes: [] }) };

export class ChangeTracker {
  readonly #ports: ChangePorts | undefined;
  /** What calls have left: the next version, which the user may have edited, takes little room beside it. */
  readonly #known = new Map<string, FileState>();
  readonly #held = new PendingBlobs();

  /** Without ports nothing is kept. */
  constructor(ports: ChangePorts | undefined) {
    this.#ports = ports;
  }

  /** A call may come soon, as when a person is asked for leave. */
  expect(touches: Touches | undefined): void {
    if (touches === 'workspace') void this.#ports?.scan?.prepare();
  }

  /** Keeps what the disk did not take when a command had changed it, as far as it takes that now. Never rejects. */
  async keepHeld(): Promise<void> {
    if (this.#ports) await this.#held.writeTo(this.#ports.blobs);
  }

  /**
   * Rejects where the bytes could not be kept, or where that was stopped; the call must not run then. With its id,
   * `sinceScan` may be asked of it.
   */
  async begin(
    touches: Touches | undefined,
    { call, signal }: { readonly call?: string; readonly signal?: AbortSignal } = {},
  ): Promise<TrackedCall> {
    const ports = this.#ports;
    if (!ports || touches === undefined) return UNTRACKED;
    await this.keepHeld();
    if (touches === 'workspace') return this.#beginScan(ports, call);
    return this.#track(ports, () => pathsTouched(ports.files, touches), signal);
  }

  /** The same for what a restore is about to change: these paths, and nothing below them. */
  async beginAt(paths: readonly string[]): Promise<TrackedCall> {
    const ports = this.#ports;
    return ports ? this.#track(ports, () => withMissingParents(ports.files, paths)) : UNTRACKED;
  }

  /**
   * What has changed since `before` was what a call found, and that the call never told. What a process that died in it
   * has left half-done is cleared away first.
   */
  async since(before: FileStates): Promise<Changes> {
    const ports = this.#ports;
    if (!ports) return { changes: [] };
    const paths = [...before.keys()];
    for (const folder of new Set(paths.map((path) => dirname(path)))) await ports.files.tidy(folder);
    const listed = await pathsTouched(ports.files, paths);
    return 'why' in listed ? untold(listed) : changesSince(ports, listed, before);
  }

  async #track(
    ports: ChangePorts,
    list: () => ReturnType<typeof pathsTouched>,
    signal?: AbortSignal,
  ): Promise<TrackedCall> {
    const listed = await list();
    // Half of it would be of no use to anybody.
    if ('why' in listed) return { before: new Map(), changes: async () => untold(listed) };
    const before = await keepStates(ports, listed, this.#known, signal);
    const edited = ports.editors?.watch(listed);
    const changes = async () => {
      const besides = await keepEdited(ports, (await edited?.()) ?? []);
      const now = await list();
      if ('why' in now) return untold(now);
      const made = await changesSince(ports, now, new Map([...besides, ...before]));
      this.#know(made.changes);
      await ports.scan?.absorb(made.changes.map(({ path }) => path));
      return made;
    };
    return { before, changes };
  }

  /** What a command has changed that was interrupted, and never told. Undefined where nobody knows. */
  async sinceScan(call: string): Promise<Changes | undefined> {
    const ports = this.#ports;
    const scanned = await ports?.scan?.resume(keyOf(ports, call));
    return scanned && ports && this.#keep(scanned, ports);
  }

  async #beginScan(ports: ChangePorts, call: string | undefined): Promise<TrackedCall> {
    const { scan } = ports;
    if (!scan) return UNTRACKED;
    const end = await scan.begin(call === undefined ? undefined : keyOf(ports, call));
    return { before: new Map(), changes: async () => this.#keep(await end(), ports) };
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

/** Ids of calls are unique in their session alone. */
function keyOf({ session = '' }: ChangePorts, call: string): string {
  return `${session} ${call}`;
}

function untold(directory: Unkeepable): Changes {
  return { changes: [], uncovered: tellUnkeepable(directory) };
}

function tellUnkeepable({ path, why }: Unkeepable): string {
  const { entries, bytes } = MAX_BELOW;
  return why === 'mangled'
    ? say('What was done to {0} as a whole is not undone, since names in it are not UTF-8.', path)
    : say(
        'What was done to {0} as a whole is not undone, since it holds more than {1} files or {2} MB.',
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
    const entry: Entry = { kind: 'file', size: before.length, mode };
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
