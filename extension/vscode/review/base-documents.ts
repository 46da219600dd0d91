import * as vscode from 'vscode';
import { textsOf } from '../../core/review/reviewed-text.ts';
import { joinLines } from '../../core/review/text-content.ts';
import type { ReviewModel } from './review-model.ts';

/** URI scheme of the accepted text of a file. */
export const BASE_SCHEME = 'harness-base';

/** Provides the accepted text of a file, read-only: the left side of its diff. */
export class BaseDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #model: ReviewModel;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[];

  constructor(model: ReviewModel) {
    this.#model = model;
    this.#disposables = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(BASE_SCHEME, this),
      model.onDidChange(() => this.#refresh()),
    ];
  }

  async provideTextDocumentContent({ fsPath }: vscode.Uri): Promise<string> {
    const base = (await this.#model.file(fsPath))?.base;
    return base?.lines ? joinLines({ lines: textsOf(base.lines), isEnded: base.isEnded }) : '';
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === BASE_SCHEME) this.#changed.fire(uri);
  }
}

export function baseUri(path: string): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: BASE_SCHEME });
}
