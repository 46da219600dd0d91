import * as vscode from 'vscode';
import { fuzzyScore } from './fuzzy.ts';

export interface FoundPath {
  /** As a prompt names it; a folder's ends with a slash. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** Files that are looked through. */
const MAX_FILES = 20_000;
/** Milliseconds for which a list is good: long enough to type a mention. */
const FRESH = 10_000;
/** Files that count as recent. */
const MAX_RECENT = 30;
const OPEN_BONUS = 150;
const RECENT_BONUS = 100;

/** The files and folders of the workspace, those first that the user works with. */
export class FileList implements vscode.Disposable {
  readonly #following: vscode.Disposable;
  #recent: readonly string[] = [];
  #listed: { readonly at: number; readonly paths: Promise<readonly FoundPath[]> } | undefined;

  constructor() {
    this.#note(vscode.window.activeTextEditor);
    this.#following = vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /** The best for `query`, best first. Without a query, what is open and recent. */
  async find(query: string, most: number): Promise<readonly FoundPath[]> {
    const open = openFiles();
    if (query === '')
      return [...new Set([...open, ...this.#recent])]
        .slice(0, most)
        .map((name) => ({ name, isFolder: false }));
    const bonus = new Map<string, number>([
      ...this.#recent.map((name, index) => [name, RECENT_BONUS - index] as const),
      ...open.map((name) => [name, OPEN_BONUS] as const),
    ]);
    const found = (await this.#paths()).flatMap((path) => {
      const score = fuzzyScore(query, path.name);
      return score === undefined ? [] : [{ path, score: score + (bonus.get(path.name) ?? 0) }];
    });
    found.sort((a, b) => b.score - a.score || a.path.name.localeCompare(b.path.name));
    return found.slice(0, most).map(({ path }) => path);
  }

  dispose(): void {
    this.#following.dispose();
  }

  #note(editor: vscode.TextEditor | undefined): void {
    const name = editor && nameOf(editor.document.uri);
    if (name) this.#recent = [name, ...this.#recent.filter((other) => other !== name)].slice(0, MAX_RECENT);
  }

  #paths(): Promise<readonly FoundPath[]> {
    const now = Date.now();
    if (!this.#listed || now - this.#listed.at > FRESH) this.#listed = { at: now, paths: listPaths() };
    return this.#listed.paths;
  }
}

/** The setting `files.exclude` is honoured by VS Code itself. */
async function listPaths(): Promise<readonly FoundPath[]> {
  const uris = await vscode.workspace.findFiles('**/*', searchExcludes(), MAX_FILES);
  const files = uris.map((uri) => vscode.workspace.asRelativePath(uri));
  const folders = new Set(files.flatMap(foldersAbove));
  return [
    ...files.map((name) => ({ name, isFolder: false })),
    ...[...folders].map((name) => ({ name, isFolder: true })),
  ];
}

function searchExcludes(): string | undefined {
  const patterns =
    vscode.workspace.getConfiguration('search', null).get<Record<string, unknown>>('exclude') ?? {};
  const active = Object.keys(patterns).filter((pattern) => patterns[pattern] === true);
  return active.length > 0 ? `{${active.join(',')}}` : undefined;
}

function foldersAbove(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}

function openFiles(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [nameOf(input.uri)].flat() : []))
    .filter((name) => name !== undefined);
}

/** Undefined for what is no file of the workspace. */
function nameOf(uri: vscode.Uri): string | undefined {
  const isOurs = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isOurs ? vscode.workspace.asRelativePath(uri) : undefined;
}
