import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NoSessionError } from '../../core/ports/session-store.ts';

/** The log of session `id`. `root`, here and below, is the folder of all sessions. */
export const logOf = (root: string, id: string): string => join(root, id, 'events.jsonl');
/** The folder of the bytes that the session's events name. Throws for an invalid session id. */
export const blobsOf = (root: string, id: string): string => join(root, checkedId(id), 'blobs');
/** The folder of long outputs of commands. Throws for an invalid session id. */
export const outputsOf = (root: string, id: string): string => join(root, checkedId(id), 'output');
/** The recording of the session's exchange with the outside world, for replay. */
export const recordingOf = (root: string, id: string): string => join(root, id, 'recording.jsonl');
export const lockOf = (root: string, id: string): string => join(root, id, 'lock');
/** The text that the user typed and did not send. Throws for an invalid session id. */
export function draftPathOf(root: string, id: string): string {
  return join(root, checkedId(id), 'draft.json');
}
/** The folder of deleted sessions that can still be restored. */
export const deletedBelow = (root: string): string => join(root, 'deleted');

/** `now` in milliseconds since the epoch. */
export function newSessionId(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replace(/\D/g, '')}-${randomUUID().slice(0, 8)}`;
}

/**
 * Checks a string from outside before it becomes a path. An id begins with a digit, because Harness begins
 * its ids with the time. So no id is the name of another folder, a device or an option.
 */
export function isSessionId(id: string): boolean {
  return /^\d[\w-]{0,63}$/.test(id);
}

function checkedId(id: string): string {
  if (!isSessionId(id)) throw new NoSessionError(id);
  return id;
}
