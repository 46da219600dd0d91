import * as vscode from 'vscode';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { ReviewCommand } from '../base/command-ids.ts';
import { plural } from '../base/localize.ts';
import { BaseDocuments } from './base-documents.ts';
import { type ChangeNode, ChangesTree } from './changes-tree.ts';
import { EditorHints } from './editor-decorations.ts';
import { runReviewCommand } from './review-commands.ts';
import { ReviewModel, type ReviewModelOptions } from './review-model.ts';

/** The review of a window: its tree, its diffs, and its hints in editors. */
export class Review implements vscode.Disposable {
  readonly tree: ChangesTree;
  readonly #model: ReviewModel;
  readonly #home: SessionController;
  readonly #view: vscode.TreeView<ChangeNode>;
  #selected: readonly ChangeNode[] = [];
  readonly #disposables: vscode.Disposable[];

  /** The review follows panel `home` until the user requests the review of another panel. */
  constructor(options: ReviewModelOptions, home: SessionController, view: vscode.TreeView<ChangeNode>) {
    this.#model = new ReviewModel(options);
    this.#home = home;
    this.#view = view;
    this.tree = new ChangesTree(this.#model);
    this.#disposables = [
      this.#model,
      new BaseDocuments(this.#model),
      new EditorHints(this.#model),
      this.#model.onDidChange(() => this.#show()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.#offer()),
      view.onDidChangeSelection(({ selection }) => {
        this.#selected = selection;
      }),
    ];
    this.#model.follow(home);
  }

  /** Called when a panel closes. If the review follows that panel, it returns to `home`. */
  leave(sessions: SessionController): void {
    if (this.#model.follows(sessions)) this.#model.follow(this.#home);
  }

  run(sessions: SessionController, command: ReviewCommand, args: readonly unknown[]): Promise<void> {
    // While the tree reloads, VS Code reports an empty selection.
    const selected = () => (this.#view.selection.length > 0 ? this.#view.selection : this.#selected);
    return runReviewCommand({ model: this.#model, selected }, sessions, command, args);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #show(): void {
    const value = this.#model.pending.length;
    const tooltip = plural(value, '{0} file to review', '{0} files to review');
    this.#view.badge = value > 0 ? { value, tooltip } : undefined;
    void vscode.commands.executeCommand('setContext', 'harness.hasChanges', value > 0);
    void this.#offer();
  }

  /** Enables the buttons of a changed file's editor, even if the editor uses another path for it. */
  async #offer(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const path = uri && (await this.#model.files.pathOf(uri));
    const paths = this.#model.pending.map((pending) => pending.path);
    const other = uri && path && paths.includes(path) ? [uri.fsPath] : [];
    await vscode.commands.executeCommand('setContext', 'harness.changedFiles', [...paths, ...other]);
  }
}
