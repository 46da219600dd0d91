import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NoSessionError } from '../../core/ports/session-store.ts';

/** Where the parts of session `id` lie below the folder of all sessions. */
export const logOf = (root: string, id: string): string => join(root, id, 'events.jsonl');
/** The folder of the bytes that its events name. Throws for what is no name of a session. */
export const blobsOf = (root: string, id: string): string => join(root, checkedId(id), 'blobs');
/** What passed between it and the world, for those who play it back. */
export const recordingOf = (root: string, id: string): string => join(root, id, 'recording.jsonl');
export const lockOf = (root: string, id: string): string => join(root, id, 'lock');
/** What was typed in it and not sent. Throws for what is no name of a session. */
export function draftPathOf(root: string, id: string): string {
  return join(root, checkedId(id), 'draft.json');
}
/** Sessions that can still be brought back. */
export const deletedBelow = (root: string): string => join(root, 'deleted');

/** `now` in milliseconds since the epoch. */
export function newSessionId(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replace(/\D/g, '')}-${randomUUID().slice(0, 8)}`;
}

/**
 * Whatever comes from outside and is to become a path. It begins with a digit, as the time does with which those that we
 * give begin: so no session has the name of another folder, of a device or of an option.
 */
export function isSessionId(id: string): boolean {
  return /^\d[\w-]{0,63}$/.test(id);
}

function checkedId(id: string): string {
  if (!isSessionId(id)) throw new NoSessionError(id);
  return id;
}
