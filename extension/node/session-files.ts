import { join } from 'node:path';

/** Where the parts of session `id` lie below the folder of all sessions. */
export const logOf = (root: string, id: string): string => join(root, id, 'events.jsonl');
export const lockOf = (root: string, id: string): string => join(root, id, 'lock');
/** Sessions that can still be brought back. */
export const deletedBelow = (root: string): string => join(root, 'deleted');

/** Whatever comes from outside and is to become a path. */
export function isSessionId(id: string): boolean {
  return /^[\w-]+$/.test(id) && id !== 'deleted';
}
