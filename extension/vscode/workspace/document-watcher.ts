import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';

interface Known {
  readonly text: string;
  readonly encoding: string;
  readonly isDirty: boolean;
}

/** Sees which documents of files are edited from now on, and knows what they were. */
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
    // At once: it may be saved in the next moment.
    const stored = known.isDirty ? undefined : bytesAt(uri);
    this.#edited.set(key, { uri, before: () => bytesBefore(known, stored) });
  }
}

export interface WitnessedEdit {
  readonly uri: vscode.Uri;
  /** The bytes of the file as it was shown before. */
  before(): Promise<Uint8Array>;
}

function bytesAt(uri: vscode.Uri): Uint8Array | undefined {
  try {
    return readFileSync(uri.fsPath);
  } catch {
    // Its text has to do.
    return undefined;
  }
}

/** Line ends that are mixed, which no document holds, are those of the file. */
async function bytesBefore({ text, encoding }: Known, stored: Uint8Array | undefined): Promise<Uint8Array> {
  if (stored) {
    // Rejects for what is no text: something else has been written there by now.
    const held = await vscode.workspace.decode(stored, { encoding }).then(withOneLineEnd, () => undefined);
    if (held === withOneLineEnd(text)) return stored;
  }
  return vscode.workspace.encode(text, { encoding });
}

function withOneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
