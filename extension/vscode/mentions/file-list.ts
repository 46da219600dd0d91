import * as vscode from 'vscode';
import { type Listing, listFiles } from '../../node/search/list-files.ts';

export interface FoundPath {
  /** The name in a prompt; a folder's ends with a slash. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** The most files that are searched. */
const MAX_FILES = 20_000;
/** Milliseconds; the time limit of ripgrep. */
const MAX_TIME = 5_000;
/** Milliseconds for which a list stays valid: long enough to type a mention. */
const FRESH = 10_000;
/** The most files that count as recent. */
const MAX_RECENT = 30;
const OPEN_BONUS = 150;
const RECENT_BONUS = 100;

/** The files and folders of the workspace. Open and recent files come first. */
export class FileList implements vscode.Disposable {
  readonly #ripgrep: string | undefined;
  readonly #following: vscode.Disposable;
  #recent: readonly string[] = [];
  #listed: { readonly at: number; readonly paths: Promise<readonly FoundPath[]> } | undefined;

  /** `ripgrep` is the absolute path of the program. Without it, the list also contains ignored files. */
  constructor(ripgrep: string | undefined) {
    this.#ripgrep = ripgrep;
    this.#note(vscode.window.activeTextEditor);
    this.#following = vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /** The best matches for `query`, best first. For an empty query, the open and recent files. */
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
    if (!this.#listed || now - this.#listed.at > FRESH)
      this.#listed = { at: now, paths: listPaths(this.#ripgrep) };
    return this.#listed.paths;
  }
}

async function listPaths(ripgrep: string | undefined): Promise<readonly FoundPath[]> {
  // If ripgrep fails or takes too long, a list with ignored files is better than none.
  const uris = await (ripgrep ? findByRipgrep(ripgrep).catch(findByVscode) : findByVscode());
  const files = uris.map((uri) => vscode.workspace.asRelativePath(uri));
  const folders = new Set(files.flatMap(foldersAbove));
  return [
    ...files.map((name) => ({ name, isFolder: false })),
    ...[...folders].map((name) => ({ name, isFolder: true })),
  ];
}

/** VS Code's `findFiles` applies `files.exclude`, but no ignore files. */
async function findByVscode(): Promise<readonly vscode.Uri[]> {
  const excluded = excludedBy('search', undefined);
  const pattern = excluded.length > 0 ? `{${excluded.join(',')}}` : undefined;
  return vscode.workspace.findFiles('**/*', pattern, MAX_FILES);
}

async function findByRipgrep(ripgrep: string): Promise<readonly vscode.Uri[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const found = await Promise.all(
    folders.map(async ({ uri }) => {
      const names = await listFiles(listingOf(uri, ripgrep), AbortSignal.timeout(MAX_TIME));
      return names.map((name) => vscode.Uri.joinPath(uri, name));
    }),
  );
  return found.flat().slice(0, MAX_FILES);
}

/** The patterns of the setting `files.exclude` or `search.exclude`, without the conditional ones. */
function excludedBy(section: 'files' | 'search', folder: vscode.Uri | undefined): string[] {
  const patterns =
    vscode.workspace.getConfiguration(section, folder ?? null).get<Record<string, unknown>>('exclude') ?? {};
  return Object.keys(patterns).filter((pattern) => patterns[pattern] === true);
}

function listingOf(folder: vscode.Uri, ripgrep: string): Listing {
  const search = vscode.workspace.getConfiguration('search', folder);
  return {
    ripgrep,
    folder: folder.fsPath,
    excluded: [...excludedBy('files', folder), ...excludedBy('search', folder)],
    ignores: {
      own: search.get<boolean>('useIgnoreFiles') ?? true,
      parents: search.get<boolean>('useParentIgnoreFiles') ?? false,
      global: search.get<boolean>('useGlobalIgnoreFiles') ?? false,
    },
    followsLinks: search.get<boolean>('followSymlinks') ?? true,
    most: MAX_FILES,
  };
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

/** Undefined if the URI is not a file of the workspace. */
function nameOf(uri: vscode.Uri): string | undefined {
  const isOurs = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isOurs ? vscode.workspace.asRelativePath(uri) : undefined;
}

// Scores how well a path matches a typed query.

/**
 * Higher is better; undefined without a match. The query may skip letters but not reorder them. Ignores case.
 */
export function fuzzyScore(query: string, path: string): number | undefined {
  const wanted = query.toLowerCase();
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/', whole.length - 2) + 1);
  const shortness = -path.length / 10;
  const inName = name.indexOf(wanted);
  if (inName === 0) return 1_000 + shortness;
  if (inName > 0) return (isWordStart(name, inName) ? 800 : 700) + shortness;
  const inPath = whole.indexOf(wanted);
  if (inPath >= 0) return (isWordStart(whole, inPath) ? 500 : 400) + shortness;
  const spread = spreadOf(wanted, name);
  if (spread !== undefined) return 300 - spread + shortness;
  const wide = spreadOf(wanted, whole);
  return wide === undefined ? undefined : 200 - wide + shortness;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/**
 * The number of extra characters between the first and the last match; undefined if some letters are missing.
 */
function spreadOf(wanted: string, text: string): number | undefined {
  let at = -1;
  let first = -1;
  for (const character of wanted) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return undefined;
    if (first < 0) first = at;
  }
  return at - first + 1 - wanted.length;
}
