import * as vscode from 'vscode';
import type { FileReview, Hunk, PendingCell } from '../../core/review/file-review.ts';
import { BASE_SCHEME } from './base-documents.ts';
import type { Choice } from './review-model.ts';

/** Where the user is in an editor: lines `first` to `last` of a file (`+`), or of what is accepted of it (`-`). */
export interface Place {
  readonly path: string;
  readonly side: '+' | '-';
  readonly first: number;
  readonly last: number;
}

/** Undefined where no file is edited. */
export function placeInEditor(editor = vscode.window.activeTextEditor): Place | undefined {
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { scheme, fsPath } = document.uri;
  if (scheme !== 'file' && scheme !== BASE_SCHEME) return undefined;
  const { start, end } = selection;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { path: fsPath, side: scheme === 'file' ? '+' : '-', first: start.line, last };
}

/** The hunks there. One that has removed lines only is where they were. */
export function hunksAt({ hunks }: FileReview, { side, first, last }: Place): Hunk[] {
  return hunks.filter((hunk) => {
    const from = side === '+' ? hunk.nowLine : hunk.baseLine;
    const count = side === '+' ? hunk.added : hunk.removed;
    return count > 0 ? from <= last && from + count > first : from - 1 <= last && from >= first;
  });
}

export function linesOfHunks(path: string, hunks: readonly Hunk[]): Choice {
  return choice(
    path,
    hunks.flatMap(({ cells }) => cells),
  );
}

/** The pending lines there; where there are removed ones only, these. */
export function linesAt(review: FileReview, place: Place): Choice {
  const hunks = hunksAt(review, place);
  const there = hunks.flatMap(({ cells }) =>
    cells.filter(({ sign, index }) => sign === place.side && index >= place.first && index <= place.last),
  );
  return there.length > 0 ? choice(review.path, there) : linesOfHunks(review.path, hunks);
}

function choice(path: string, cells: readonly PendingCell[]): Choice {
  return { path, ids: new Set(cells.map(({ line }) => line.id)) };
}
