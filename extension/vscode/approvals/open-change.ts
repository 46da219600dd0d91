import * as vscode from 'vscode';
import { decodeText } from '../../core/base/text/encoding.ts';
import { storedBytesOf } from '../../core/checkpoints/current-state.ts';
import type { Preview } from '../../core/ports/approver.ts';
import type { BlobStore } from '../../core/ports/blob-store.ts';
import type { SessionStore } from '../../core/ports/session-store.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import { resultText } from '../../core/view/tool-text.ts';
import type { FileState, SessionEvent } from '../../protocol/events.ts';
import type { TextDocuments } from './text-documents.ts';
import type { VscodeApprover } from './vscode-approver.ts';
import { callKey } from './vscode-approver.ts';

/** Opens in an editor what a card of the panel shows: a pending or finished change, or a whole result. */
export class ChangeOpener {
  readonly #documents: TextDocuments;
  readonly #store: Pick<SessionStore, 'blobs'>;

  constructor(documents: TextDocuments, store: Pick<SessionStore, 'blobs'>) {
    this.#documents = documents;
    this.#store = store;
  }

  /** Opens the diff of call `id` of a session. `log` is the session's log. */
  async openDiff(session: string, id: string, log: LogWindow, approver: VscodeApprover): Promise<void> {
    const key = callKey({ session, id });
    if (approver.waitsFor(key)) return approver.showPreview(key);
    const changes = await textsOf(id, log.events, this.#store.blobs(session));
    if (changes.length > 0) return this.#documents.showDiffs(key, changes);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Could not show this change: Harness did not store its content, or it changed no text.'),
    );
  }

  /** Compares an earlier state of a file with the current file. */
  async compareWithNow(session: string, path: string, then: FileState): Promise<void> {
    const text = await textOf(then, this.#store.blobs(session));
    if (text !== undefined) return this.#documents.compareWithFile(path, text ?? '');
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Could not show this change: Harness did not store its content, or it changed no text.'),
    );
  }

  async openResult(id: string, log: LogWindow): Promise<void> {
    const call = log.events.find((event) => event.type === 'tool_call' && event.id === id);
    const held = log.events.findLast((event) => event.type === 'tool_result' && event.id === id);
    const [result] = await log.whole(held ? [held] : []);
    if (call?.type !== 'tool_call' || result?.type !== 'tool_result') return;
    await this.#documents.show(`${call.name} ${id}.txt`, resultText(result.result));
  }
}

/** The texts that a call changed. */
async function textsOf(
  id: string,
  events: readonly SessionEvent[],
  blobs: BlobStore,
): Promise<readonly Preview[]> {
  const event = events.findLast((candidate) => candidate.type === 'files_changed' && candidate.id === id);
  const texts: Preview[] = [];
  for (const change of event?.type === 'files_changed' ? event.changes : []) {
    const [before, after] = await Promise.all([textOf(change.before, blobs), textOf(change.after, blobs)]);
    const isText = before !== undefined && after !== undefined && !(before === null && after === null);
    if (isText) texts.push({ path: change.path, before, after });
  }
  return texts;
}

/** Null if there is no file. Undefined if the file is not text or its content is not stored. */
async function textOf(state: FileState, blobs: BlobStore): Promise<string | null | undefined> {
  if (state.kind === 'absent') return null;
  const bytes = await storedBytesOf({ state }, blobs);
  return bytes && decodeText(bytes)?.text;
}
