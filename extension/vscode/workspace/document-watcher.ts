import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';

interface Known {
  readonly text: string;
  readonly encoding: string;
  readonly isDirty: boolean;
}

/** Records which file documents are edited after its creation, with their earlier content. */
export class DocumentWatcher implements vscode.Disposable {
  readonly #known = new Map<string, Known>();
  readonly #edited = new Map<string, WitnessedEdit>();
  readonly #listening: vscode.Disposable;

  constructor() {
    for (const document of vscode.workspace.textDocuments) this.#meet(document);
    this.#listening = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.#meet(document)),
      vscode.workspace.onDidChangeTextDocument((change) => this.#see(change)),
    );
  }

  get edited(): readonly WitnessedEdit[] {
    return [...this.#edited.values()];
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #meet(document: vscode.TextDocument): void {
    const { uri, encoding, isDirty } = document;
    if (uri.scheme === 'file')
      this.#known.set(uri.toString(), { text: document.getText(), encoding, isDirty });
  }

  #see({ document: { uri }, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const key = uri.toString();
    const known = this.#known.get(key);
    if (!known || contentChanges.length === 0 || this.#edited.has(key)) return;
    // Reads immediately, because a save may follow in the next moment.
    const stored = known.isDirty ? undefined : bytesAt(uri);
    this.#edited.set(key, { uri, before: () => bytesBefore(known, stored) });
  }
}

export interface WitnessedEdit {
  readonly uri: vscode.Uri;
  /** The bytes of the file as the document showed it before the edit. */
  before(): Promise<Uint8Array>;
}

function bytesAt(uri: vscode.Uri): Uint8Array | undefined {
  try {
    return readFileSync(uri.fsPath);
  } catch {
    // The file cannot be read, so the document's text is used instead.
    return undefined;
  }
}

/**
 * Returns the stored bytes if they are the document's text. Only they contain mixed line endings, which a
 * document does not store.
 */
async function bytesBefore({ text, encoding }: Known, stored: Uint8Array | undefined): Promise<Uint8Array> {
  if (stored) {
    // Rejects if the file is not text, which means that it has changed since.
    const held = await vscode.workspace.decode(stored, { encoding }).then(withOneLineEnd, () => undefined);
    if (held === withOneLineEnd(text)) return stored;
  }
  return vscode.workspace.encode(text, { encoding });
}

function withOneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
