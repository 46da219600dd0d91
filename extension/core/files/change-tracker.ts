// What a call changes: the states of its files before and after it, their bytes in the session's blobs.
import { dirname } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { FileTree } from '../ports/file-tree.ts';
import type { ScannedChange, ScannedEntry, WorkspaceScan } from '../ports/workspace-scan.ts';
import {
  ABSENT_STATE,
  type FileStates,
  isSameState,
  keepEntry,
  keepState,
  pathsTouched,
  unkept,
} from './file-states.ts';

/** Absolute paths that a call may change, or anything in the workspace. */
export type Touches = readonly string[] | 'workspace';

export interface Changes {
  readonly changes: readonly FileChange[];
  /** What was not looked at, in one sentence. */
  readonly uncovered?: string | undefined;
}

/** A call that is about to run. */
export interface TrackedCall {
  /** What it is about to change, as that is now. Empty where nobody can know before. */
  readonly before: FileStates;
  /** What it has changed by now. */
  changes(): Promise<Changes>;
}

export interface ChangePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
  /** Without it nobody knows what a command has changed. */
  readonly scan?: WorkspaceScan | undefined;
}

const UNTRACKED: TrackedCall = { before: new Map(), changes: async () => ({ changes: [] }) };

export class ChangeTracker {
  readonly #ports: ChangePorts | undefined;
  /** What calls have left: the next version, which the user may have edited, takes little room beside it. */
  readonly #known = new Map<string, FileState>();

  /** Without ports nothing is kept. */
  constructor(ports: ChangePorts | undefined) {
    this.#ports = ports;
  }

  /** A call may come soon, as when a person is asked for leave. */
  expect(touches: Touches | undefined): void {
    if (touches === 'workspace') void this.#ports?.scan?.prepare();
  }

  /** Rejects where the bytes could not be kept; the call must not run then. */
  async begin(touches: Touches | undefined): Promise<TrackedCall> {
    const ports = this.#ports;
    if (!ports || touches === undefined) return UNTRACKED;
    if (touches === 'workspace') return this.#beginScan(ports);
    const paths = await pathsTouched(ports.files, touches);
    const before = await keepStates(ports, paths, this.#known);
    const changes = async () => {
      const made = await changesSince(ports, touches, before);
      for (const { path, after } of made.changes) this.#known.set(path, after);
      await ports.scan?.absorb(made.changes.map(({ path }) => path));
      return made;
    };
    return { before, changes };
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
    return changesSince(ports, paths, before);
  }

  async #beginScan({ scan, blobs }: ChangePorts): Promise<TrackedCall> {
    if (!scan) return UNTRACKED;
    const end = await scan.begin();
    return {
      before: new Map(),
      changes: async () => {
        const { changes, uncovered } = await end();
        return { changes: await keepAll(changes, blobs), uncovered };
      },
    };
  }
}

async function keepStates(
  ports: ChangePorts,
  paths: Iterable<string>,
  like: FileStates,
): Promise<FileStates> {
  const states = new Map<string, FileState>();
  for (const path of paths) {
    const state = await keepState(ports, path, like.get(path));
    if (state) states.set(path, state);
  }
  return states;
}

async function changesSince(
  ports: ChangePorts,
  paths: readonly string[],
  before: FileStates,
): Promise<Changes> {
  const touched = await pathsTouched(ports.files, paths);
  const after = await keepStates(ports, new Set([...touched, ...before.keys()]), before);
  const changes = [...after].map(([path, state]) => ({
    path,
    before: before.get(path) ?? ABSENT_STATE,
    after: state,
  }));
  return { changes: changes.filter((change) => !isSameState(change.before, change.after)) };
}

/** A file that goes on changing, or that is there no more, is recorded without its bytes. */
async function keepAll(scanned: readonly ScannedChange[], blobs: BlobStore): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const { path, before: old, after: now } of scanned) {
    const before = await keepScanned(old, blobs);
    const after = await keepScanned(now, blobs, before);
    if (before && after) changes.push({ path, before, after });
  }
  return changes;
}

function keepScanned(
  entry: ScannedEntry,
  blobs: BlobStore,
  like?: FileState,
): Promise<FileState | undefined> {
  const bytes = entry.bytes ?? (() => Promise.reject(new Error('it was never kept')));
  return keepEntry(blobs, withoutBytes(entry), bytes, like).catch(() =>
    entry.kind === 'file' ? unkept(entry) : undefined,
  );
}

function withoutBytes({ bytes: _, ...entry }: ScannedEntry) {
  return entry;
}
