import * as vscode from 'vscode';
import type { Preview } from '../core/ports/approver.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { TextDocuments } from './text-documents.ts';
import type { VscodeApprover } from './vscode-approver.ts';

const MAX_CHANGES = 200;

/** What a card of the panel opens in an editor: a change (waiting or made) and a whole result. */
export class ChangeViews {
  readonly #documents: TextDocuments;
  readonly #changes = new Map<string, Preview>();

  constructor(documents: TextDocuments) {
    this.#documents = documents;
  }

  /** A change was decided on. */
  keep(id: string, preview: Preview): void {
    this.#changes.set(id, preview);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_CHANGES && oldest) this.#changes.delete(oldest);
  }

  async openDiff(id: string, approver: VscodeApprover): Promise<void> {
    if (approver.pending.some((request) => request.id === id)) return approver.showPreview(id);
    const change = this.#changes.get(id);
    if (change) return this.#documents.showDiff(id, change);
    void vscode.window.showInformationMessage(
      'This change was made before the window was loaded; its texts are no longer here.',
    );
  }

  async openResult(id: string, events: readonly SessionEvent[]): Promise<void> {
    const call = events.find((event) => event.type === 'tool_call' && event.id === id);
    const result = events.findLast((event) => event.type === 'tool_result' && event.id === id);
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
