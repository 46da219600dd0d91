import { byteLength } from '../base/text/fit-items.ts';
import { escaped, harmless } from '../base/text/harmless-text.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { EditorLines, OpenFile, ProblemCounts } from '../ports/editor-view.ts';
import { shortPath } from '../rendering/rendering.ts';
import { fillTemplate } from './system-prompt.ts';
import editor from './templates/editor.md' with { type: 'text' };
import problems from './templates/problems.md' with { type: 'text' };

/** Limits in bytes. Together they keep the whole text below 1 kB. */
const MAX_PATH = 250;
const MAX_SELECTION = 400;

/** The file that the user sees, and what they have selected in it. Paths are relative to `cwd` (absolute). */
export function editorContext(file: OpenFile | undefined, cwd: string): ContextText {
  const path = file && escaped(shortPath(file.path, cwd));
  if (path === undefined || byteLength(path) > MAX_PATH)
    return { kind: 'editor', text: fillTemplate(editor, { view: 'no file is shared' }), implied: true };
  const lines = [`In view: ${placeOf(path, file?.visible)}`, ...selectionLines(path, file?.selected)];
  return { kind: 'editor', text: fillTemplate(editor, { view: lines.join('\n') }) };
}

function selectionLines(path: string, selected: OpenFile['selected']): readonly string[] {
  if (!selected) return [];
  const text = harmless(selected.text);
  // Half a text could hide a secret from the filter, so a long one is only named.
  const isShort = byteLength(text) <= MAX_SELECTION;
  const place = `Selected: ${placeOf(path, selected)}`;
  return isShort ? [place, '<selection>', text, '</selection>'] : [place];
}

/** As in answers: `src/a.ts:3-9`. */
function placeOf(path: string, lines: EditorLines | undefined): string {
  if (!lines) return path;
  const { first, last } = lines;
  return first === last ? `${path}:${first}` : `${path}:${first}-${last}`;
}

export function problemsContext({ errors, warnings }: ProblemCounts): ContextText {
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')].join(' and ');
  const text = fillTemplate(problems, { problems: counts });
  return { kind: 'problems', text, ...(errors + warnings === 0 && { implied: true }) };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
