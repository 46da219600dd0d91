import { viewOf } from '../tools/tool-table.ts';
import type { Part, Row, Section } from './parts.ts';

/** Limits the cost of a new part, which must not depend on the number of parts. */
const PARTS_PER_ROW = 50;

export function addPart(section: Section, part: Part): void {
  const row = section.rows.at(-1);
  if (row && folds(row, part)) row.parts.push(part);
  else section.rows.push({ parts: [part] });
}

function folds({ parts }: Row, part: Part): boolean {
  const [first] = parts;
  if (part.kind !== 'tool' || first?.kind !== 'tool' || parts.length >= PARTS_PER_ROW) return false;
  return first.name === part.name && viewOf(part.name).group !== undefined;
}

/** Removes the parts of one reply that `isGone` selects. */
export function removeReply(section: Section, request: number, isGone: (part: Part) => boolean): void {
  const isRemoved = (part: Part) => isOf(part, request) && isGone(part);
  for (const row of section.rows.filter(({ parts }) => parts.some(isRemoved))) {
    for (const part of row.parts.filter(isRemoved)) delete section.calls[part.id];
    row.parts = row.parts.filter((part) => !isRemoved(part));
  }
  if (section.rows.some(isEmpty)) section.rows = section.rows.filter((row) => !isEmpty(row));
}

function isOf(part: Part, request: number): boolean {
  return 'request' in part && part.request === request;
}

function isEmpty(row: Row): boolean {
  return row.parts.length === 0;
}
