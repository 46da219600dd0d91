// What of an event is kept in memory when it lies far behind: all but its long texts, so that memory follows the number of
// events, and not their bytes.
import type { EventDraft, EventType, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { estimateLines } from './estimate-lines.ts';

/** Characters of a text that are kept: enough for a title, a path or the first line of a command. */
const KEPT = 200;

/** Folds need the whole of them, and their texts are short, or few. */
const WHOLE: readonly EventType[] = ['checkpoint', 'files_changed', 'reviewed', 'restored', 'context'];

/** The event with its long texts cut; the same one where it has none. */
export function elide(event: SessionEvent): SessionEvent {
  if (event.elided || WHOLE.includes(event.type)) return event;
  // It has the same fields, of the same types.
  const cut = cutTexts(event) as SessionEvent;
  return cut === event ? event : detached({ ...cut, elided: { lines: estimateLines(event) } });
}

/** The same of what is not in a log yet, and stays so. Of the changes of a call as many stay as fit, and it says how many do not. */
export function cutDraft(draft: EventDraft): EventDraft {
  if (draft.type === 'files_changed') return cutChanges(draft);
  // It has the same fields, of the same types.
  return WHOLE.includes(draft.type) ? draft : (cutTexts(draft) as EventDraft);
}

/** Characters of a list of changes: each takes up to three bytes. */
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

/** Of so many characters, or of so many bytes of its line, an event has no long text: its place in the log takes the rest. */
export const SHORT = KEPT + 80;

/** About how many characters a value holds. */
export function sizeOf(value: object): number {
  let size = 0;
  // The fastest way through an object, and each event comes by.
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

/** What a tool has answered stays JSON. */
function cutText(text: string, key: string): string {
  if (key !== 'result') return beginning(text);
  try {
    return JSON.stringify(cutTexts(JSON.parse(text)));
  } catch {
    return JSON.stringify({ content: beginning(text) });
  }
}

/** A copy: the engine keeps a whole text in memory as long as there is a part of it. */
function detached(event: SessionEvent): SessionEvent {
  return JSON.parse(JSON.stringify(event)) as SessionEvent;
}

function beginning(text: string): string {
  return `${text.slice(0, KEPT)}… (${text.length - KEPT} characters are left out here)`;
}
