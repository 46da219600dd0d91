// Renderings of changed files.

import { isLongLine } from './fit-text.ts';
import type { ShownLines } from './line-view.ts';
import { addLine, numberedLine } from './numbered-lines.ts';
import { withProblems } from './problems.ts';
import {
  type RenderedCall,
  type Rendering,
  type ResultFields,
  shortPath,
  textField,
  withNote,
} from './rendering.ts';

/** What was changed, and the lines around the change with their numbers. */
export function renderChange(fields: ResultFields, { name, diff = '', cwd, limit }: RenderedCall): Rendering {
  const path = shortPath(textField(fields, 'path'), cwd);
  const done = name === 'write' ? `Wrote ${path}.` : `Edited ${path}.`;
  // The model has just written all of it.
  const told = (text: string) => withProblems(withNote(text, fields), fields, cwd);
  if (name === 'write') return { text: told(done), lines: [], isCut: false };
  const { rows, lines } = newLines(diff, limit);
  const text = rows.length > 0 ? `${done} The lines are now:\n${rows.join('\n')}` : done;
  return { text: told(text), lines, isCut: false };
}

/** The files of a patch, as git lists them. */
export function renderPatch(fields: ResultFields, { cwd }: RenderedCall): string {
  return withProblems(withNote(textField(fields, 'content'), fields), fields, cwd);
}

export function renderMove(fields: ResultFields, { cwd }: RenderedCall): string {
  const [source, destination] = [textField(fields, 'source'), textField(fields, 'destination')];
  const done = `Moved ${shortPath(source, cwd)} to ${shortPath(destination, cwd)}.`;
  return withProblems(withNote(done, fields), fields, cwd);
}

const HUNK = /^@@ -\d+,\d+ \+(\d+),\d+ @@$/;

/** The new side of a diff's hunks, as far as it fits. Between hunks, there is a line of dots. */
function newLines(diff: string, limit: number): { rows: string[]; lines: ShownLines[] } {
  const rows: string[] = [];
  const lines: ShownLines[] = [];
  let number = 0;
  let room = limit;
  for (const line of diff.split('\n')) {
    const start = HUNK.exec(line)?.[1];
    if (start !== undefined) {
      number = Number(start);
      if (rows.length > 0) rows.push('...');
      continue;
    }
    if (number === 0 || (line[0] !== ' ' && line[0] !== '+')) continue;
    const content = line.slice(1).replace(/\r$/, '');
    const row = numberedLine(number, content);
    room -= row.length + 1;
    if (room < 0) {
      rows.push(`... cut here; read on with start_line: ${number}`);
      break;
    }
    rows.push(row);
    // The diff ends a line that it has cut with this sign.
    if (!isLongLine(content) && !content.endsWith('…')) addLine(lines, number);
    number += 1;
  }
  return { rows, lines };
}
