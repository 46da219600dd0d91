import { basename } from 'node:path';
import type { FileChange, FileState } from '../../protocol/events.ts';

/**
 * Which files one call has moved, the old path by the new one: one is gone, or has given way to a folder or a link, and there
 * is one with its content.
 */
export function movesIn(changes: readonly FileChange[]): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  // Of several with the same content, those with the same name belong together.
  pair(changes, moves, ({ path }, hash) => `${hash} ${basename(path)}`);
  pair(changes, moves, (_, hash) => hash);
  return moves;
}

/** Each old path is that of one move, and the first ones belong together. */
function pair(
  changes: readonly FileChange[],
  moves: Map<string, string>,
  keyOf: (change: FileChange, hash: string) => string,
): void {
  const taken = new Set(moves.values());
  const gone = new Map<string, string[]>();
  for (const change of changes) {
    const hash = change.after.kind === 'file' ? undefined : movable(change.before);
    if (hash === undefined || taken.has(change.path)) continue;
    const key = keyOf(change, hash);
    const paths = gone.get(key);
    if (paths) paths.push(change.path);
    else gone.set(key, [change.path]);
  }
  for (const paths of gone.values()) paths.reverse();
  for (const change of changes) {
    const hash = change.before.kind === 'absent' ? movable(change.after) : undefined;
    if (hash === undefined || moves.has(change.path)) continue;
    const from = gone.get(keyOf(change, hash))?.pop();
    if (from !== undefined) moves.set(change.path, from);
  }
}

/** The name of a content by which a file is known again: empty ones are all alike. */
function movable(state: FileState): string | undefined {
  return state.kind === 'file' && state.size > 0 && state.hash !== '' ? state.hash : undefined;
}
