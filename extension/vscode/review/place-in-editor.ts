import * as vscode from 'vscode';
import type { Place } from '../../core/review/lines-at.ts';
import { BASE_SCHEME } from './base-documents.ts';
import type { TouchedFiles } from './touched-files.ts';

/** Where the user is in a file, or in what is accepted of it; undefined where no file is edited. */
export async function placeInEditor(
  files: Pick<TouchedFiles, 'pathOf'>,
  editor = vscode.window.activeTextEditor,
): Promise<(Place & { readonly path: string }) | undefined> {
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { scheme } = document.uri;
  if (scheme !== 'file' && scheme !== BASE_SCHEME) return undefined;
  const { start, end } = selection;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const path = await files.pathOf(document.uri);
  return { path, side: scheme === 'file' ? '+' : '-', first: start.line, last };
}
