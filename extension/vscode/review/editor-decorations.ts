// Adds hints to the editors of changed files: decisions above each hunk, and the author of a line on hover.
import * as vscode from 'vscode';
import { type FileReview, type Hunk, idsOf } from '../../core/review/file-review.ts';
import { readSetting } from '../base/settings.ts';
import { authorWord, describeAuthors } from './describe-change.ts';
import type { ReviewChoice, ReviewModel } from './review-model.ts';

const FILES = { scheme: 'file' };

export class EditorHints implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #model: ReviewModel;
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  readonly #disposables: vscode.Disposable[];

  constructor(model: ReviewModel) {
    this.#model = model;
    this.onDidChangeCodeLenses = model.onDidChange;
    this.#disposables = [
      vscode.languages.registerCodeLensProvider(FILES, this),
      vscode.languages.registerHoverProvider(FILES, this),
    ];
  }

  async provideCodeLenses({ uri, lineCount }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!readSetting('review.codeLens')) return [];
    const review = await this.#reviewOf(uri);
    return review ? review.hunks.flatMap((hunk) => this.#lensesOf(review, hunk, lineCount - 1)) : [];
  }

  async provideHover(
    { uri }: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const author = (await this.#reviewOf(uri))?.now.lines?.[line]?.author ?? 'before';
    const who = authorWord(author, (seq) => this.#model.placeOf(seq));
    if (who === '') return undefined;
    const { tool = '', prompt = '' } = typeof author === 'number' ? (this.#model.placeOf(author) ?? {}) : {};
    const text = [who, tool, prompt && `“${prompt}”`].filter(Boolean).join(', ');
    // A prompt may contain Markdown, so it is escaped. VS Code makes its spaces `&nbsp;`, which never wrap.
    const escaped = new vscode.MarkdownString().appendText(`Harness: ${text}`).value;
    return new vscode.Hover(new vscode.MarkdownString(escaped.replaceAll('&nbsp;', ' ')));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #reviewOf(uri: vscode.Uri): Promise<FileReview | undefined> {
    return this.#model.file(await this.#model.files.pathOf(uri));
  }

  #lensesOf({ path }: FileReview, { cells, nowLine, authors }: Hunk, last: number): vscode.CodeLens[] {
    const at = new vscode.Position(Math.min(nowLine, last), 0);
    const range = new vscode.Range(at, at);
    const choice: ReviewChoice = { path, ids: idsOf(cells) };
    const lens = (title: string, command: string) =>
      new vscode.CodeLens(range, { title, command, arguments: [choice] });
    return [
      lens(vscode.l10n.t('Accept'), 'harness.acceptHunk'),
      lens(vscode.l10n.t('Reject'), 'harness.rejectHunk'),
      lens(describeAuthors(authors, (seq) => this.#model.placeOf(seq)) || 'Harness', ''),
    ];
  }
}
