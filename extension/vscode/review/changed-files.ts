import * as vscode from 'vscode';
import { withoutLinks } from '../workspace/open-documents.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';

/** Milliseconds after the last key before the lines of a file are told apart again. */
const TYPING = 200;

/** Who is told by which path. */
export interface FileFollower {
  /** The session has changed this path. */
  knows(path: string): boolean;
  /** What was known of it does not hold any more. */
  onTyped(path: string): void;
  /** Something has happened there; of a directory nothing is told of what is in it. */
  onTouched(path: string): void;
}

/** What the window tells of its files: that they come, go, are written and typed in. */
export class TouchedFiles implements vscode.Disposable {
  readonly #follower: FileFollower;
  readonly #disposables: vscode.Disposable[];
  #hasLinks = areFoldersLinked();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(follower: FileFollower) {
    this.#follower = follower;
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const touch = (uri: vscode.Uri) => void this.#touched(uri);
    this.#disposables = [
      watcher,
      watcher.onDidChange(touch),
      watcher.onDidCreate(touch),
      watcher.onDidDelete(touch),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#typed(document.uri)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#hasLinks = areFoldersLinked();
      }),
      { dispose: () => clearTimeout(this.#typing) },
    ];
  }

  /** By which the session knows a file: an editor may know it by a path with links in it. */
  async pathOf({ fsPath }: vscode.Uri): Promise<string> {
    return this.#follower.knows(fsPath) ? fsPath : withoutLinks(fsPath);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** The watcher has the path from the folder of the window; there are too many to look after the links of each. */
  async #touched(uri: vscode.Uri): Promise<void> {
    this.#follower.onTouched((await this.#hasLinks) ? await this.pathOf(uri) : uri.fsPath);
  }

  async #typed(uri: vscode.Uri): Promise<void> {
    if (uri.scheme !== 'file') return;
    const path = await this.pathOf(uri);
    if (!this.#follower.knows(path)) return;
    clearTimeout(this.#typing);
    this.#follower.onTyped(path);
    this.#typing = setTimeout(() => this.#follower.onTouched(path), TYPING);
  }
}

async function areFoldersLinked(): Promise<boolean> {
  const folders = workspaceRoots().map(async ({ path }) => (await withoutLinks(path)) !== path);
  return (await Promise.all(folders)).includes(true);
}
