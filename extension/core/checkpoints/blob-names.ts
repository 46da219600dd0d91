import type { EventDraft, FileState, SessionEvent } from '../../protocol/events.ts';

/** The hashes of all stored blobs that these events name. */
export function blobHashesIn(events: readonly SessionEvent[]): ReadonlySet<string> {
  const hashes = events.flatMap((event) => [...statesIn(event).map(storedHashOf), prefixIn(event)]);
  return new Set(hashes.filter((hash) => hash !== undefined));
}

/** The blob hash of a request's prefix (system prompt and tools). Undefined where the event has none. */
export function prefixIn(event: EventDraft): string | undefined {
  return event.type === 'request_started' ? event.prefix : undefined;
}

/** The same event without the hash of its prefix. */
export function withoutPrefix(draft: EventDraft): EventDraft {
  if (draft.type !== 'request_started') return draft;
  const { prefix: _, ...rest } = draft;
  return rest;
}

/** The blob hash of a file. Undefined where the state is no file, or its bytes were not stored. */
export function storedHashOf(state: FileState): string | undefined {
  return state.kind === 'file' && !state.unkept ? state.hash : undefined;
}

/** The paths for which the event names one of these blobs. */
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
