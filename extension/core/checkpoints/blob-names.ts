import type { EventDraft, FileState, SessionEvent } from '../../protocol/events.ts';

/** Names of all the bytes that these events speak of and that were kept. */
export function blobHashesIn(events: readonly SessionEvent[]): ReadonlySet<string> {
  const hashes = events.flatMap((event) => [...statesIn(event).map(storedHashOf), prefixIn(event)]);
  return new Set(hashes.filter((hash) => hash !== undefined));
}

/** The name of what a request began with, where it was kept. */
export function prefixIn(event: EventDraft): string | undefined {
  return event.type === 'request_started' ? event.prefix : undefined;
}

/** The same event without that name. */
export function withoutPrefix(draft: EventDraft): EventDraft {
  if (draft.type !== 'request_started') return draft;
  const { prefix: _, ...rest } = draft;
  return rest;
}

/** The name of its bytes, where it is a file whose bytes were kept. */
export function storedHashOf(state: FileState): string | undefined {
  return state.kind === 'file' && !state.unkept ? state.hash : undefined;
}

/** The paths of which an event names bytes that are among these. */
export function pathsNaming(event: SessionEvent, hashes: ReadonlySet<string>): readonly string[] {
  const isNamed = (state: FileState) => hashes.has(storedHashOf(state) ?? '');
  return filesIn(event)
    .filter(({ states }) => states.some(isNamed))
    .map(({ path }) => path);
}

function statesIn(event: SessionEvent): readonly FileState[] {
  return filesIn(event).flatMap(({ states }) => states);
}

function filesIn(event: SessionEvent): readonly { path: string; states: readonly FileState[] }[] {
  if (event.type === 'checkpoint') return event.files.map(({ path, state }) => ({ path, states: [state] }));
  if (event.type === 'files_changed')
    return event.changes.map(({ path, before, after }) => ({ path, states: [before, after] }));
  return event.type === 'reviewed' ? [{ path: event.path, states: [event.base, event.now] }] : [];
}
