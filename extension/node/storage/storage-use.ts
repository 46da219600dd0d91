import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { ATTACHMENTS } from '../composer/attachment-files.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { blobsOf, deletedBelow, recordingOf } from '../log/session-files.ts';

/** Disk space of all sessions, in bytes. */
export interface Storage {
  readonly sessions: readonly StorageUse[];
  readonly deleted: readonly DeletedUse[];
  /** Images of all sessions, including deleted ones. */
  readonly images: number;
}

/** Disk space of one session, in bytes. */
export interface StorageUse {
  readonly session: SessionSummary;
  /** The log and the other files in the session's folder, such as the draft. */
  readonly log: number;
  /** File versions, for undo and review. */
  readonly versions: number;
  readonly recording: number;
}

/** Disk space of a deleted session that can still be restored. */
export interface DeletedUse {
  /** Name of its folder. */
  readonly name: string;
  readonly bytes: number;
  /** When the session was deleted, in milliseconds since the epoch. */
  readonly since: number;
}

export function totalOf({ log, versions, recording }: StorageUse): number {
  return log + versions + recording;
}

/** Disk space of everything below the folder of all sessions, if `sessions` are all listed sessions. */
export function sumOf({ sessions, deleted, images }: Storage): number {
  return [...sessions.map(totalOf), ...deleted.map(({ bytes }) => bytes)].reduce(
    (sum, bytes) => sum + bytes,
    images,
  );
}

/** Measures one session after the other, because nothing waits for the result. */
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

/** Size of the files in a folder. A file that several sessions link counts for each of them. */
async function sizeOf(folder: string): Promise<number> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  let size = 0;
  for (const entry of entries) {
    if (entry.isFile()) size += (await ifPresent(stat(join(folder, entry.name))))?.size ?? 0;
  }
  return size;
}
