import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Preview } from '../../core/ports/approver.ts';
import { harmlessPath } from './preview-uri.ts';

const SCHEME = 'harness-text';

/** Only the newest texts are stored. Opening one from the panel again restores it. */
const MAX_TEXTS = 50;

const IN_SIGHT = { preview: true, preserveFocus: true } satisfies vscode.TextDocumentShowOptions;

/**
 * Read-only texts in editor tabs: a tool's whole result, or a finished change. Keyboard focus stays in place.
 */
export class TextDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** VS Code listens to this: fires when an open text has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This text is no longer available. Open it again from the panel.')
    );
  }

  /** `name` becomes the tab's title. */
  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.#keep(`/${name}`, text), IN_SIGHT);
  }

  /** Opens one diff for each file that call `id` changed. The first one comes to the front. */
  async showDiffs(id: string, changes: readonly Preview[]): Promise<void> {
    // With several, each diff would replace the preview tab before it.
    const options = { ...IN_SIGHT, preview: changes.length === 1 };
    for (const [index, change] of [...changes.entries()].reverse()) {
      await this.#showDiff(changes.length === 1 ? id : `${id}/${index + 1}`, change, options);
    }
  }

  /** Compares an earlier text of a file with the current, editable file. */
  async compareWithFile(path: string, text: string): Promise<void> {
    const left = this.#keep(`/then/${path}`, text);
    const title = vscode.l10n.t('{0} (checkpoint ↔ now)', basename(path));
    await vscode.commands.executeCommand('vscode.diff', left, vscode.Uri.file(path), title, {
      preview: true,
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #showDiff(
    id: string,
    { path, before, after }: Preview,
    options: vscode.TextDocumentShowOptions,
  ): Promise<void> {
    const name = basename(path);
    const left = this.#keep(`/${id}/before/${name}`, before ?? '');
    const right = this.#keep(`/${id}/after/${name}`, after ?? '');
    const title = vscode.l10n.t('{0} (change by Harness)', name);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
  }

  #keep(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: harmlessPath(path, text) });
    const before = this.#texts.get(uri.toString());
    this.#texts.set(uri.toString(), text);
    if (before !== undefined && before !== text) this.#changed.fire(uri);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_TEXTS && oldest) this.#texts.delete(oldest);
    return uri;
  }
}
