import * as vscode from 'vscode';
import { withoutLinks } from '../workspace/open-documents.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';

/** Milliseconds from the last keystroke in a file to its next review. */
const TYPING = 200;

/** Receives each event with the path by which the session knows the file. */
export interface FileFollower {
  /** Whether the session changed this path. */
  knows(path: string): boolean;
  /** The user typed in the file, so its last review is stale. */
  onTyped(path: string): void;
  /** Something changed at the path. For a directory, no events follow for its contents. */
  onTouched(path: string): void;
}

/** Reports files of the window that someone creates, deletes, writes or types in. */
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

  /** The path by which the session knows a file. An editor may use a path with links in it. */
  async pathOf({ fsPath }: vscode.Uri): Promise<string> {
    return this.#follower.knows(fsPath) ? fsPath : withoutLinks(fsPath);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /**
   * The watcher uses paths below the workspace folder. Harness resolves links only if a folder has one,
   * because there are many events.
   */
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
