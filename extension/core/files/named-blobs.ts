import type { FileState, SessionEvent } from '../../protocol/events.ts';

/** Names of all the bytes that these events speak of and that were kept. */
export function namedBlobs(events: readonly SessionEvent[]): ReadonlySet<string> {
  const hashes = events.flatMap(statesIn).map(hashOfKept);
  return new Set(hashes.filter((hash) => hash !== undefined));
}

/** The name of its bytes, where it is a file whose bytes were kept. */
export function hashOfKept(state: FileState): string | undefined {
  return state.kind === 'file' && !state.unkept ? state.hash : undefined;
}

function statesIn(event: SessionEvent): readonly FileState[] {
  if (event.type === 'checkpoint') return event.files.map(({ state }) => state);
  if (event.type === 'files_changed') return event.changes.flatMap(({ before, after }) => [before, after]);
  if (event.type === 'reviewed') return [event.base, event.now];
  return [];
}
