import * as vscode from 'vscode';

/** Milliseconds without a report after which servers count as done: many report more than once. */
const SETTLE_MS = 250;
/** Milliseconds after which nobody waits any longer. */
const LIMIT_MS = 2000;

/** Which documents language servers have reported on, since this object exists. */
export class DiagnosticReports implements vscode.Disposable {
  /** By URI, the number of the latest report. */
  readonly #latest = new Map<string, number>();
  /** Languages for which no server answered a wait, and none has reported since. */
  readonly #silent = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #listening: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#listening = vscode.Disposable.from(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#note(uris)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#latest.delete(uri.toString())),
    );
  }

  /** The number of reports so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether a server has reported on the document after this number of reports. */
  hasReported({ uri }: vscode.TextDocument, after = 0): boolean {
    return (this.#latest.get(uri.toString()) ?? 0) > after;
  }

  /** A wait for this document would be in vain, as far as is known. */
  isSilent({ languageId }: vscode.TextDocument): boolean {
    return this.#silent.has(languageId);
  }

  /** A wait for this document was in vain. */
  noteSilence({ languageId }: vscode.TextDocument): void {
    const reported = vscode.workspace.textDocuments.filter((document) => this.hasReported(document));
    if (!reported.some((document) => document.languageId === languageId)) this.#silent.add(languageId);
  }

  /**
   * Resolves when `isDone` holds and no server has reported for a moment, but at the latest after 2 s, or when
   * the signal is aborted. Asks `isDone` again after each report, and when `more` settles.
   */
  wait(isDone: () => boolean, more: Promise<unknown>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let settling: NodeJS.Timeout | undefined;
      const check = () => {
        clearTimeout(settling);
        if (isDone()) settling = setTimeout(end, SETTLE_MS);
      };
      const end = () => {
        clearTimeout(settling);
        clearTimeout(limit);
        this.#waiting.delete(check);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const limit = setTimeout(end, LIMIT_MS);
      this.#waiting.add(check);
      signal.addEventListener('abort', end);
      if (signal.aborted) return end();
      check();
      void more.finally(() => this.#waiting.has(check) && check());
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #note(uris: readonly vscode.Uri[]): void {
    this.#count += 1;
    const keys = new Set(uris.map((uri) => uri.toString()));
    for (const { uri, languageId } of vscode.workspace.textDocuments) {
      if (!keys.has(uri.toString())) continue;
      this.#latest.set(uri.toString(), this.#count);
      this.#silent.delete(languageId);
    }
    for (const check of this.#waiting) check();
  }
}
