import * as vscode from 'vscode';
import type { Preview } from '../core/ports/approver.ts';
import type { LogWindow } from '../core/view/log-window.ts';
import type { TextDocuments } from './text-documents.ts';
import type { VscodeApprover } from './vscode-approver.ts';

const MAX_CHANGES = 200;

/** What a card of the panel opens in an editor: a change (waiting or made) and a whole result. A key names a call among those of all sessions. */
export class ChangeViews {
  readonly #documents: TextDocuments;
  readonly #changes = new Map<string, readonly Preview[]>();

  constructor(documents: TextDocuments) {
    this.#documents = documents;
  }

  /** A change was decided on. */
  keep(key: string, previews: readonly Preview[]): void {
    this.#changes.set(key, previews);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_CHANGES && oldest) this.#changes.delete(oldest);
  }

  /** What a call has changed, of each file; nothing where that is kept no more. */
  find(key: string): readonly Preview[] {
    return this.#changes.get(key) ?? [];
  }

  async openDiff(key: string, approver: VscodeApprover): Promise<void> {
    if (approver.waitsFor(key)) return approver.showPreview(key);
    const changes = this.find(key);
    if (changes.length > 0) return this.#documents.showDiffs(key, changes);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This change was made before the window was loaded; its texts are no longer here.'),
    );
  }

  async openResult(id: string, log: LogWindow): Promise<void> {
    const call = log.events.find((event) => event.type === 'tool_call' && event.id === id);
    const held = log.events.findLast((event) => event.type === 'tool_result' && event.id === id);
    const [result] = await log.whole(held ? [held] : []);
    if (call?.type !== 'tool_call' || result?.type !== 'tool_result') return;
    await this.#documents.show(`${call.name} ${id}.txt`, readable(result.result));
  }
}

/** A result's texts as a person reads them; the JSON where it has none. */
function readable(result: string): string {
  const value = JSON.parse(result) as Record<string, unknown>;
  const texts = Object.values(value).filter((field) => typeof field === 'string' && field !== '');
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(value, null, 2);
}
