import type { Part, Row, Section, View } from './parts.ts';

/** Limits, so that what a new part costs does not depend on the length of the session. */
const ROWS_PER_SECTION = 30;
const PARTS_PER_ROW = 50;
const foldable = new Set(['read', 'list_dir', 'grep']);

export function addPart(view: View, part: Part): void {
  const section = sectionFor(view, part);
  const row = section.rows.at(-1);
  if (row && folds(row, part)) row.parts.push(part);
  else section.rows.push({ parts: [part] });
}

function sectionFor({ sections }: View, part: Part): Section {
  const last = sections.at(-1);
  if (last !== undefined && part.kind !== 'user' && last.rows.length < ROWS_PER_SECTION) return last;
  const section: Section = { rows: [] };
  sections.push(section);
  // Read back: where the view is a store's draft, this is the object that notices changes.
  return sections.at(-1) ?? section;
}

function folds({ parts }: Row, part: Part): boolean {
  const [first] = parts;
  if (part.kind !== 'tool' || first?.kind !== 'tool' || parts.length >= PARTS_PER_ROW) return false;
  return first.name === part.name && foldable.has(part.name);
}

/** Takes away those parts of one reply that `isGone` tells. A reply's parts are the newest there are. */
export function removeReply(view: View, request: number, isGone: (part: Part) => boolean): void {
  for (let index = view.sections.length - 1; index >= 0; index -= 1) {
    const section = view.sections[index];
    if (section === undefined || !holdsReply(section, request)) break;
    removeParts(view, section, (part) => isOf(part, request) && isGone(part));
  }
  while (view.sections.at(-1)?.rows.length === 0) view.sections.pop();
}

function removeParts(view: View, section: Section, isGone: (part: Part) => boolean): void {
  for (const row of section.rows.filter(({ parts }) => parts.some(isGone))) {
    for (const part of row.parts.filter(isGone)) delete view.calls[part.id];
    row.parts = row.parts.filter((part) => !isGone(part));
  }
  if (section.rows.some(isEmpty)) section.rows = section.rows.filter((row) => !isEmpty(row));
}

function holdsReply(section: Section, request: number): boolean {
  return section.rows.some((row) => row.parts.some((part) => isOf(part, request)));
}

function isOf(part: Part, request: number): boolean {
  return 'request' in part && part.request === request;
}

function isEmpty(row: Row): boolean {
  return row.parts.length === 0;
}
