import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { EditorLines, EditorView, OpenFile, ProblemCounts } from '../../core/ports/editor-view.ts';
import { realPath } from '../../node/fs/real-path.ts';
import type { SharedFile } from '../../protocol/composer-messages.ts';
import { onDidChangeSettings, readSetting } from '../base/settings.ts';
import { workspaceProblems } from './mention-context.ts';
import { holdsSecrets } from './secret-paths.ts';

/** Milliseconds. While the user drags a selection, it changes with each frame. */
const SETTLE = 100;

/** What the user of this window sees in front. */
export class EditorInFront implements EditorView, vscode.Disposable {
  /** The text editor that had the focus last. A panel in a tab takes the focus from it. */
  #last = vscode.window.activeTextEditor;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor && isOfUser(editor)) this.#last = editor;
    this.#changed.fire();
  });

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  async openFile(): Promise<OpenFile | undefined> {
    const document = this.#editor?.document;
    if (!document || !readSetting('context.openFile') || (await isSecret(document))) return undefined;
    const editor = this.#editor;
    return editor?.document === document ? openFileIn(editor) : undefined;
  }

  problems(): ProblemCounts {
    const severities = workspaceProblems().map(({ diagnostic }) => diagnostic.severity);
    const errors = severities.filter((severity) => severity === vscode.DiagnosticSeverity.Error).length;
    return { errors, warnings: severities.length - errors };
  }

  /**
   * Reports the file that prompts share, now and after each change, until the result is disposed. Null if there is
   * none.
   */
  watch(report: (file: SharedFile | null) => void): vscode.Disposable {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reported = '';
    let isOver = false;
    const update = async () => {
      timer = undefined;
      const file = sharedFileOf(await this.openFile());
      const shown = JSON.stringify(file);
      if (!isOver && shown !== reported) report(file);
      reported = shown;
    };
    const updateSoon = () => {
      timer ??= setTimeout(() => void update(), SETTLE);
    };
    void update();
    return vscode.Disposable.from(
      this.#changed.event(updateSoon),
      vscode.window.onDidChangeTextEditorSelection(
        ({ textEditor }) => textEditor === this.#editor && updateSoon(),
      ),
      vscode.window.onDidChangeVisibleTextEditors(updateSoon),
      onDidChangeSettings(updateSoon),
      {
        dispose: () => {
          isOver = true;
          clearTimeout(timer);
        },
      },
    );
  }

  get #editor(): vscode.TextEditor | undefined {
    const active = vscode.window.activeTextEditor;
    if (active && isOfUser(active)) return active;
    return vscode.window.visibleTextEditors.find((editor) => editor === this.#last);
  }
}

/** Not an output channel, a preview of ours, or an earlier version of a file. */
function isOfUser({ document }: vscode.TextEditor): boolean {
  return document.uri.scheme === 'file' || document.isUntitled;
}

async function isSecret({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (holdsSecrets(uri.fsPath)) return true;
  return !isUntitled && holdsSecrets(await realPath(uri.fsPath).catch(() => uri.fsPath));
}

function openFileIn({ document, selection, visibleRanges }: vscode.TextEditor): OpenFile {
  const [visible] = visibleRanges;
  return {
    path: document.uri.fsPath,
    visible: visible && linesOf(visible),
    ...(!selection.isEmpty && { selected: { ...linesOf(selection), text: document.getText(selection) } }),
  };
}

/** A range that ends at the start of a line does not include that line. */
function linesOf({ start, end }: vscode.Range): EditorLines {
  const isBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: end.line + (isBefore ? 0 : 1) };
}

function sharedFileOf(file: OpenFile | undefined): SharedFile | null {
  if (!file) return null;
  const { selected } = file;
  const lines = selected && { first: selected.first, last: selected.last };
  return { name: basename(file.path), path: vscode.workspace.asRelativePath(file.path), lines };
}
