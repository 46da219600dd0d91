// Describes changes in labels and for screen readers.
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { CallPlace } from '../../core/review/call-sites.ts';
import type { FileReview, Hunk } from '../../core/review/file-review.ts';
import type { LineAuthor } from '../../core/review/reviewed-text.ts';
import { shownLine } from '../../core/review/text-content.ts';
import { plural } from '../base/localize.ts';

type PlaceOf = (seq: number) => CallPlace | undefined;

export function countsOf({ hunks }: Pick<FileReview, 'hunks'>): { added: number; removed: number } {
  const sum = (key: 'added' | 'removed') => hunks.reduce((total, hunk) => total + hunk[key], 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** “+3 −1”, without zero counts. */
export function shortCounts({ added, removed }: { added: number; removed: number }): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
}

export function longCounts({ added, removed }: { added: number; removed: number }): string {
  return [
    ...(added > 0 ? [plural(added, '{0} line added', '{0} lines added')] : []),
    ...(removed > 0 ? [plural(removed, '{0} line removed', '{0} lines removed')] : []),
  ].join(', ');
}

/** Describes the change to the file as a whole. */
export function stateWord({ base, now, cells, hunks, from }: FileReview): string {
  const [before, after] = [base.state, now.state];
  if (from !== undefined) return vscode.l10n.t('moved from {0}', vscode.workspace.asRelativePath(from));
  if (before.kind === 'absent') return vscode.l10n.t('new');
  if (after.kind === 'absent') return vscode.l10n.t('deleted');
  if (before.kind === 'file' && after.kind === 'file' && before.mode !== after.mode)
    return vscode.l10n.t('file mode {0}, was {1}', after.mode.toString(8), before.mode.toString(8));
  if (after.kind === 'link') return vscode.l10n.t('link to {0}', after.target);
  if (!cells) return vscode.l10n.t('binary');
  return hunks.length === 0 ? vscode.l10n.t('end of file') : '';
}

/** “Line 12: its first changed text”. */
export function hunkLabel({ cells, nowLine }: Hunk): string {
  const first = cells.find(({ sign }) => sign === '+') ?? cells[0];
  return vscode.l10n.t('Line {0}: {1}', nowLine + 1, shownLine(first?.line.text ?? '').trim());
}

/** Names who made a change: “run 3, call 7”. */
export function describeAuthors(authors: readonly LineAuthor[], placeOf: PlaceOf): string {
  return [...new Set(authors.map((author) => authorWord(author, placeOf)))].filter(Boolean).join('; ');
}

export function authorWord(author: LineAuthor, placeOf: PlaceOf): string {
  if (author === 'you') return vscode.l10n.t('you');
  const place = author === 'before' ? undefined : placeOf(author);
  if (place?.by === 'restore') return vscode.l10n.t('restored by undo');
  return place ? vscode.l10n.t('run {0}, call {1}', place.run, place.call) : '';
}

/** Label for a screen reader, which reads no icons or colors. */
export function spokenFile(review: FileReview): string {
  const words = [stateWord(review), longCounts(countsOf(review))].filter(Boolean).join(', ');
  return vscode.l10n.t('{0} in {1}, {2}, not reviewed', basename(review.path), folderOf(review.path), words);
}

/** The folder of a file, relative to the workspace folder. */
export function folderOf(path: string): string {
  const folder = dirname(path);
  const inside = vscode.workspace.asRelativePath(folder);
  const isRoot = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder);
  return isRoot ? basename(folder) : inside;
}
