import * as vscode from 'vscode';
import type { Answer, ApprovalRequest, Approver } from '../../core/ports/approver.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Decision } from '../../protocol/events.ts';
import { type DiffPreview, isFrontFree, shownPreviewId } from './diff-preview.ts';
import { previewId } from './preview-uri.ts';

interface Pending {
  readonly request: ApprovalRequest;
  readonly settle: (answer: Answer) => void;
}

export interface VscodeApproverOptions {
  readonly preview: DiffPreview;
  /** Whether to show the diff without being asked; read at each request. */
  readonly previewEnabled: () => boolean;
  /** The name that distinguishes this session from the other running ones. Empty if no other session runs. */
  readonly sessionName: (session: string) => string;
  readonly logger: Logger;
}

/** The most files of one patch that are opened. The card lists all of them. */
const MAX_DIFFS = 10;

/** Asks the user of this window, in the panel and in the title bar of the diff. The first answer decides. */
export class VscodeApprover implements Approver, vscode.Disposable {
  readonly #options: VscodeApproverOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #changed = new vscode.EventEmitter<readonly ApprovalRequest[]>();
  /** Fires with all pending requests. */
  readonly onDidChangePending = this.#changed.event;

  readonly #asked = new vscode.EventEmitter<ApprovalRequest>();
  readonly onDidAsk = this.#asked.event;

  constructor(options: VscodeApproverOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get pending(): readonly ApprovalRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return VOID;
    return new Promise((resolve) => {
      const abort = () => settle(VOID);
      const settle = (answer: Answer) => {
        signal.removeEventListener('abort', abort);
        this.#remove(pending);
        resolve(answer);
      };
      const pending: Pending = { request, settle };
      signal.addEventListener('abort', abort);
      this.#register(pending);
    });
  }

  /**
   * Ignores a request that is not pending. `key` identifies the call among those of all sessions. `reason`: why the
   * user denies it.
   */
  answer(key: string, decision: Decision, reason?: string): void {
    this.#pending.get(key)?.settle({ decision, ...(reason && { userReason: reason }) });
  }

  /** Answers the question of a pending request. Undefined if the user does not want to answer. */
  reply(key: string, text: string | undefined): void {
    const pending = this.#pending.get(key);
    if (pending?.request.options === undefined) return;
    pending.settle(text === undefined ? { decision: 'deny' } : { decision: 'allow_once', text });
  }

  /** Answers from a diff's title bar: the request of that diff, or of the diff in front. */
  answerPreview(uri: vscode.Uri | undefined, decision: Decision): void {
    const key = previewId(uri) ?? shownPreviewId();
    if (key !== undefined) this.answer(key, decision);
  }

  waitsFor(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Opens the diffs of a pending request. The first one comes to the front. */
  async showPreview(key: string): Promise<void> {
    return this.#openDiffs(key, () => 'front');
  }

  async #openDiffs(key: string, place: () => 'front' | 'background'): Promise<void> {
    const request = this.#pending.get(key)?.request;
    if (!request) return;
    const { preview, sessionName } = this.#options;
    for (const change of request.previews.slice(0, MAX_DIFFS).reverse()) {
      if (this.#pending.has(key)) await preview.show(key, change, sessionName(request.session), place());
    }
    // The user answered while a diff opened.
    if (!this.#pending.has(key)) await preview.close(key);
  }

  dispose(): void {
    for (const { settle } of [...this.#pending.values()]) settle(VOID);
    this.#changed.dispose();
    this.#asked.dispose();
  }

  #register(pending: Pending): void {
    const key = callKey(pending.request);
    this.#pending.get(key)?.settle(VOID);
    this.#pending.set(key, pending);
    this.#changed.fire(this.pending);
    this.#asked.fire(pending.request);
    if (this.#options.previewEnabled()) this.#report(this.#openDiffs(key, besideUser));
  }

  #remove({ request }: Pending): void {
    const key = callKey(request);
    this.#pending.delete(key);
    this.#changed.fire(this.pending);
    this.#report(this.#options.preview.close(key));
  }

  /** Logs the failure, because the user can still answer in the panel without the diff. */
  #report(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.#options.logger.warn(`The diff could not be shown: ${String(error)}`),
    );
  }
}

/** A diff that nobody asked for never takes the place of an editor, in which the user may be typing. */
function besideUser(): 'front' | 'background' {
  return isFrontFree() ? 'front' : 'background';
}

/** The answer without a user's decision: the run was canceled, or the window closes. */
const VOID: Answer = { decision: 'deny', reason: 'no answer was given' };

/**
 * Identifies a call among those of all sessions. The model chose the call's id, which is unique only within
 * its session.
 */
export function callKey({ session, id }: { readonly session: string; readonly id: string }): string {
  return `${session}/${id}`;
}
