import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionSummary } from '../core/ports/event-store.ts';
import { ifPresent } from './file-errors.ts';
import { blobsOf, recordingOf } from './session-files.ts';

/** What one session takes on the disk, in bytes. */
export interface StorageUse {
  readonly session: SessionSummary;
  /** The log, and what was typed in it. */
  readonly log: number;
  /** Of files, for undo and review. */
  readonly versions: number;
  readonly recording: number;
}

export function totalOf({ log, versions, recording }: StorageUse): number {
  return log + versions + recording;
}

/** Of each of `sessions` below `root`, one after the other: nothing waits for this. */
export async function measureStorage(
  root: string,
  sessions: readonly SessionSummary[],
): Promise<readonly StorageUse[]> {
  const uses: StorageUse[] = [];
  for (const session of sessions) {
    const recording = (await ifPresent(stat(recordingOf(root, session.id))))?.size ?? 0;
    const versions = await sizeOf(blobsOf(root, session.id));
    const whole = await sizeOf(join(root, session.id));
    uses.push({ session, log: whole - recording, versions, recording });
  }
  return uses;
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
