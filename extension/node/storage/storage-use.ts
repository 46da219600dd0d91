import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { ATTACHMENTS } from '../composer/attachment-files.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { blobsOf, deletedBelow, recordingOf } from '../log/session-files.ts';

/** What all sessions take on the disk, in bytes. */
export interface Storage {
  readonly sessions: readonly StorageUse[];
  readonly deleted: readonly DeletedUse[];
  /** Those of all sessions, deleted ones included. */
  readonly images: number;
}

/** What one session takes. */
export interface StorageUse {
  readonly session: SessionSummary;
  /** The log, and what was typed in it. */
  readonly log: number;
  /** Of files, for undo and review. */
  readonly versions: number;
  readonly recording: number;
}

/** What a deleted session takes that can still be brought back. */
export interface DeletedUse {
  /** Of its folder. */
  readonly name: string;
  readonly bytes: number;
  /** When it was deleted, milliseconds since the epoch. */
  readonly since: number;
}

export function totalOf({ log, versions, recording }: StorageUse): number {
  return log + versions + recording;
}

/** Of all that lies below `root`, where `sessions` are those of the list. */
export function sumOf({ sessions, deleted, images }: Storage): number {
  return [...sessions.map(totalOf), ...deleted.map(({ bytes }) => bytes)].reduce(
    (sum, bytes) => sum + bytes,
    images,
  );
}

/** Looks at one session after the other: nothing waits for this. */
export async function measureStorage(root: string, sessions: readonly SessionSummary[]): Promise<Storage> {
  const uses: StorageUse[] = [];
  for (const session of sessions) uses.push(await useOf(root, session));
  const deleted: DeletedUse[] = [];
  for (const name of (await ifPresent(readdir(deletedBelow(root)))) ?? []) {
    const folder = join(deletedBelow(root), name);
    const since = (await ifPresent(stat(folder)))?.mtimeMs ?? 0;
    deleted.push({ name, bytes: (await sizeOf(folder)) + (await sizeOf(join(folder, 'blobs'))), since });
  }
  return { sessions: uses, deleted, images: await sizeOf(join(root, ATTACHMENTS)) };
}

async function useOf(root: string, session: SessionSummary): Promise<StorageUse> {
  const recording = (await ifPresent(stat(recordingOf(root, session.id))))?.size ?? 0;
  const versions = await sizeOf(blobsOf(root, session.id));
  const whole = await sizeOf(join(root, session.id));
  return { session, log: whole - recording, versions, recording };
}

/** Of the files in a folder; what is a link of several sessions counts for each. */
async function sizeOf(folder: string): Promise<number> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  let size = 0;
  for (const entry of entries) {
    if (entry.isFile()) size += (await ifPresent(stat(join(folder, entry.name))))?.size ?? 0;
  }
  return size;
}
