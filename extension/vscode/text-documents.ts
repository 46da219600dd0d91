import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Preview } from '../core/ports/approver.ts';
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
      vscode.l10n.t('This text is no longer here. Open it from the panel again.')
    );
  }

  /** `name` becomes the tab's title. */
  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.#keep(`/${name}`, text), IN_SIGHT);
  }

  /** The change as it was made by call `id`. */
  async showDiff(id: string, { path, before, after }: Preview): Promise<void> {
    const left = this.#keep(`/${id}/before/${basename(path)}`, before ?? '');
    const right = this.#keep(`/${id}/after/${basename(path)}`, after);
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      right,
      vscode.l10n.t('{0} (change by Harness)', basename(path)),
      IN_SIGHT,
    );
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
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
