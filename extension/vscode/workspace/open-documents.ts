// The open documents of this window for a file. An editor may use a path with links in it.
import * as vscode from 'vscode';
import { isInside } from '../../core/base/paths.ts';
import { realPath } from '../../node/fs/real-path.ts';

/**
 * The text document of the file at `path` (absolute, links resolved). Of several, prefers one with unsaved
 * changes.
 */
export async function openDocument(path: string): Promise<vscode.TextDocument | undefined> {
  const documents = await below(path, vscode.workspace.textDocuments);
  const own = documents.filter(({ real }) => real === path).map(({ item }) => item);
  return own.find((document) => document.isDirty) ?? own[0];
}

/** The first document of any kind with unsaved changes at `path` or below it. */
export async function unsavedBelow(path: string): Promise<vscode.Uri | undefined> {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const open = [...textDocuments, ...notebookDocuments, ...customTabs()];
  const found = await below(
    path,
    open.filter((document) => document.isDirty),
  );
  return found[0]?.item.uri;
}

/**
 * A notebook or custom editor that shows the file and has no text to edit. `isDirty`: it has unsaved changes.
 */
export async function otherEditor(path: string): Promise<{ readonly isDirty: boolean } | undefined> {
  const found = await below(path, [...vscode.workspace.notebookDocuments, ...customTabs()]);
  const own = found.filter(({ real }) => real === path).map(({ item }) => item);
  return own.find((editor) => editor.isDirty) ?? own[0];
}

function customTabs(): { readonly uri: vscode.Uri; readonly isDirty: boolean }[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input, isDirty }) =>
    input instanceof vscode.TabInputCustom ? [{ uri: input.uri, isDirty }] : [],
  );
}

/** The items whose file is at `path` or below it. */
async function below<Item extends { readonly uri: vscode.Uri }>(
  path: string,
  items: readonly Item[],
): Promise<{ readonly item: Item; readonly real: string }[]> {
  const files = items.filter(({ uri }) => uri.scheme === 'file');
  const paths = await Promise.all(
    files.map(async (item) => ({ item, real: await withoutLinks(item.uri.fsPath) })),
  );
  return paths.filter(({ real }) => isInside(path, real));
}

/** Resolves links. Returns an unreadable path unchanged. */
export function withoutLinks(path: string): Promise<string> {
  return realPath(path).catch(() => path);
}
