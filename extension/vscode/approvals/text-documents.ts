import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Preview } from '../../core/ports/approver.ts';
import { harmlessPath } from './preview-uri.ts';

const SCHEME = 'harness-text';

/** Texts kept, the newest; opening one again from the panel brings it back. */
const MAX_TEXTS = 50;

const IN_SIGHT = { preview: true, preserveFocus: true } satisfies vscode.TextDocumentShowOptions;

/** Read-only texts in editor tabs: a tool's whole result, a change that was made. The keyboard's focus stays where it is. */
export class TextDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** For VS Code: a text that is open has become another. */
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

  /** The changes as they were made by call `id`, of each file; the first one comes to the front. */
  async showDiffs(id: string, changes: readonly Preview[]): Promise<void> {
    // Of several, each preview would be replaced by the next one.
    const options = { ...IN_SIGHT, preview: changes.length === 1 };
    for (const [index, change] of [...changes.entries()].reverse()) {
      await this.#showDiff(changes.length === 1 ? id : `${id}/${index + 1}`, change, options);
    }
  }

  /** What a file was, beside what it is now and can be changed to. */
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
