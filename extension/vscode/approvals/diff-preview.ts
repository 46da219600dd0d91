import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Preview } from '../../core/ports/approver.ts';
import { PREVIEW_SCHEME, previewId, previewUri } from './preview-uri.ts';

/**
 * Opens diff editors that preview a change before it is made. Both sides are read-only documents of Harness.
 */
export class DiffPreview implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, this);

  /** Undefined for a URI of another provider. */
  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  /**
   * Opens the diff of request `id`, or brings it back to the front. Keyboard focus stays in place. `session`
   * appears in the tab's title; empty if only one session runs. In the background, it opens as a tab that is
   * not in front.
   */
  async show(
    id: string,
    { path, before, after }: Preview,
    session: string,
    place: 'front' | 'background' = 'front',
  ): Promise<void> {
    const left = previewUri(id, 'before', path, before ?? '');
    const right = previewUri(id, 'after', path, after ?? '');
    this.#texts.set(left.toString(), before ?? '');
    this.#texts.set(right.toString(), after ?? '');
    // The next diff, perhaps of another session, would replace a preview tab.
    const options = { preview: false, preserveFocus: true, background: place === 'background' };
    const title = titleOf(basename(path), before === null, session);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
  }

  /** Closes the diff of request `id` if it is open, and drops its texts. */
  async close(id: string): Promise<void> {
    for (const address of this.#texts.keys()) {
      if (previewId(vscode.Uri.parse(address)) === id) this.#texts.delete(address);
    }
    await vscode.window.tabGroups.close(
      previewTabs().filter((tab) => previewIdOf(tab) === id),
      true,
    );
  }

  dispose(): void {
    this.#registration.dispose();
    void vscode.window.tabGroups.close(previewTabs(), true);
  }
}

function titleOf(file: string, isNew: boolean, session: string): string {
  if (session === '')
    return isNew
      ? vscode.l10n.t('{0} (new file by Harness, not applied yet)', file)
      : vscode.l10n.t('{0} (change by Harness, not applied yet)', file);
  return isNew
    ? vscode.l10n.t('{0} (new file by Harness in “{1}”, not applied yet)', file, session)
    : vscode.l10n.t('{0} (change by Harness in “{1}”, not applied yet)', file, session);
}

/** Nothing of the user's is in front: only a preview, or nothing. */
export function isFrontFree(): boolean {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return !tab || previewIdOf(tab) !== undefined;
}

/** The request whose diff is the active tab. */
export function shownPreviewId(): string | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && previewIdOf(tab);
}

function previewTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(previewIdOf));
}

function previewIdOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputTextDiff ? previewId(input.modified) : undefined;
}
