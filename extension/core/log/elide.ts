// Cuts the long texts of old events, so that memory grows with the number of events and not with their bytes.
import type { EventDraft, EventType, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { estimateLines } from './estimate-lines.ts';

/** Characters of a text that stay: enough for a title, a path or the first line of a command. */
const KEPT = 200;

/** Folds need these events whole, and their texts are short or few. */
const WHOLE: readonly EventType[] = [
  'checkpoint',
  'files_changed',
  'reviewed',
  'restored',
  'context',
  'background_started',
];

/** The event with its long texts cut; the same object if it has none. */
export function elide(event: SessionEvent): SessionEvent {
  if (event.elided || WHOLE.includes(event.type)) return event;
  // `cutTexts` keeps the fields and their types.
  const cut = cutTexts(event) as SessionEvent;
  return cut === event ? event : detached({ ...cut, elided: { lines: estimateLines(event) } });
}

/**
 * Cuts a draft before it is logged; the cut is permanent. Of a call's changes, it lists as many as fit and
 * says how many are missing.
 */
export function cutDraft(draft: EventDraft): EventDraft {
  if (draft.type === 'files_changed') return cutChanges(draft);
  // `cutTexts` keeps the fields and their types.
  return WHOLE.includes(draft.type) ? draft : (cutTexts(draft) as EventDraft);
}

/** Characters of a list of changes. Each takes up to three bytes. */
const MOST_LISTED = 4_000_000;

function cutChanges(draft: Extract<EventDraft, { type: 'files_changed' }>): EventDraft {
  let room = MOST_LISTED;
  const changes = draft.changes.filter((change) => {
    room -= JSON.stringify(change).length;
    return room >= 0;
  });
  const unlisted = say('{0} more changes are not listed.', draft.changes.length - changes.length);
  return { ...draft, changes, uncovered: draft.uncovered ? `${draft.uncovered}\n${unlisted}` : unlisted };
}

/**
 * An event of at most this many characters, or bytes of its log line, has no long text. Its place in the log
 * takes the rest.
 */
export const SHORT = KEPT + 80;

/** The approximate number of characters in a value. */
export function sizeOf(value: object): number {
  let size = 0;
  // The fastest iteration over an object, because this runs for each event.
  for (const key in value) {
    const field: unknown = value[key as keyof typeof value];
    if (typeof field === 'string') size += field.length;
    else size += typeof field === 'object' && field !== null ? sizeOf(field) : 1;
  }
  return size;
}

function cutTexts(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.length > KEPT ? cutText(value, key) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cutTexts(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const fields = Object.entries(value).map(([name, field]) => [name, cutTexts(field, name), field] as const);
  return fields.some(([, cut, field]) => cut !== field)
    ? Object.fromEntries(fields.map(([name, cut]) => [name, cut]))
    : value;
}

/** Cuts a tool's result so that it stays valid JSON. */
function cutText(text: string, key: string): string {
  if (key !== 'result') return beginning(text);
  try {
    return JSON.stringify(cutTexts(JSON.parse(text)));
  } catch {
    return JSON.stringify({ content: beginning(text) });
  }
}

/** A copy, because the engine keeps a whole text in memory as long as a slice of it is in use. */
function detached(event: SessionEvent): SessionEvent {
  return JSON.parse(JSON.stringify(event)) as SessionEvent;
}

function beginning(text: string): string {
  return `${text.slice(0, KEPT)}… (${text.length - KEPT} characters are left out here)`;
}
