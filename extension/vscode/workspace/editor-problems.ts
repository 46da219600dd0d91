// The problems that the editor knows, and those that a change has caused.
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isInside } from '../../core/base/paths.ts';
import type {
  EditorProblem,
  LanguageServers,
  ProblemReport,
  UncheckedFile,
} from '../../core/ports/language-servers.ts';
import { newProblems } from '../../core/tools/problems/new-problems.ts';
import { DiagnosticReports } from './diagnostic-reports.ts';
import { withoutLinks } from './open-documents.ts';
import { typescriptProblems } from './typescript-problems.ts';

/** A document that a tab shows. */
interface ShownDocument {
  readonly document: vscode.TextDocument;
  /** Links resolved. */
  readonly path: string;
}

export class EditorProblems implements Pick<LanguageServers, 'problems' | 'watch'>, vscode.Disposable {
  readonly #reports = new DiagnosticReports();

  async problems(path?: string): Promise<ProblemReport> {
    const isAsked = (each: string) => path === undefined || isInside(path, each);
    const problems = (await withRealPaths(knownProblems())).filter((problem) => isAsked(problem.path));
    const shown = (await shownDocuments()).filter((each) => isAsked(each.path));
    const isUnchecked = await Promise.all(shown.map(({ document }) => this.#isUnchecked(document)));
    const unchecked = shown.flatMap((each, index) => (isUnchecked[index] ? [silent(each)] : []));
    const closed = path === undefined ? [] : await closedAmong([path], shown);
    return { problems, unchecked: [...closed, ...unchecked] };
  }

  watch(paths: readonly string[]): (signal: AbortSignal) => Promise<ProblemReport> {
    const before = knownProblems();
    const mark = this.#reports.count;
    return async (signal) => {
      const shown = await shownDocuments();
      const touched = shown.filter(({ path }) => paths.some((each) => isInside(each, path)));
      const closed = await closedAmong(paths, shown);
      if (touched.length === 0) return { problems: [], unchecked: closed };
      const unchecked = await this.#settle(shown, touched, mark, signal);
      const places = new Set(shown.map(({ path }) => path));
      const after = (await withRealPaths(knownProblems())).filter(({ path }) => places.has(path));
      const problems = newProblems(await withRealPaths(before), after, paths);
      return { problems, unchecked: [...closed, ...unchecked.map(silent)] };
    };
  }

  dispose(): void {
    this.#reports.dispose();
  }

  async #isUnchecked(document: vscode.TextDocument): Promise<boolean> {
    if (this.#reports.hasReported(document)) return false;
    if (vscode.languages.getDiagnostics(document.uri).length > 0) return false;
    return (await typescriptProblems(document)) !== 0;
  }

  /**
   * Waits for the servers. Resolves with the touched documents that none has checked. TypeScript reports nothing
   * on a document that stays without problems, so it is asked. It also says which other documents now have
   * problems, and their reports are awaited too.
   */
  async #settle(
    shown: readonly ShownDocument[],
    touched: readonly ShownDocument[],
    mark: number,
    signal: AbortSignal,
  ): Promise<readonly ShownDocument[]> {
    const awaited = new Set(touched.filter(({ document }) => !this.#reports.isSilent(document)));
    const isPending = (each: ShownDocument) => !this.#reports.hasReported(each.document, mark);
    const asking = shown.map(async (each) => {
      const count = await typescriptProblems(each.document);
      if (count === 0) awaited.delete(each);
      else if (count !== undefined) awaited.add(each);
      return count === 0;
    });
    let isAsked = false;
    const answers = Promise.all(asking).then((all) => {
      isAsked = true;
      return all;
    });
    await this.#reports.wait(() => isAsked && ![...awaited].some(isPending), answers, signal);
    const pending = touched.filter((each) => isPending(each) && (awaited.has(each) || !isAsked));
    const quiet = touched.filter((each) => this.#reports.isSilent(each.document) && isPending(each));
    for (const { document } of signal.aborted ? [] : pending) this.#reports.noteSilence(document);
    return [...new Set([...pending, ...quiet])];
  }
}

function silent({ path }: ShownDocument): UncheckedFile {
  return { path, why: 'silent' };
}

/** The documents that tabs show. A tab that was not looked at since the window opened has none yet. */
async function shownDocuments(): Promise<readonly ShownDocument[]> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs.flatMap(({ input }) => {
    if (input instanceof vscode.TabInputText) return [input.uri];
    return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
  });
  const keys = new Set(uris.map((uri) => uri.toString()));
  const shown = vscode.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme === 'file' && keys.has(uri.toString()),
  );
  return Promise.all(
    shown.map(async (document) => ({ document, path: await withoutLinks(document.uri.fsPath) })),
  );
}

/** Files that exist and have no tab. Of a folder, nobody knows whether tabs show all of its files. */
async function closedAmong(
  paths: readonly string[],
  shown: readonly ShownDocument[],
): Promise<readonly UncheckedFile[]> {
  const hidden = paths.filter((path) => !shown.some((each) => each.path === path));
  const exists = await Promise.all(hidden.map((path) => stat(path).then(Boolean, () => false)));
  return hidden.filter((_, index) => exists[index]).map((path) => ({ path, why: 'closed' }));
}

const SEVERITIES: Readonly<Partial<Record<vscode.DiagnosticSeverity, EditorProblem['severity']>>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
};

/** Their paths may have links. */
function knownProblems(): readonly EditorProblem[] {
  const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === 'file')
    .flatMap(([uri, each]) => each.flatMap((one) => toProblem(uri, one, open.get(uri.toString()))));
}

function toProblem(
  { fsPath }: vscode.Uri,
  { severity, range: { start }, message, source, code }: vscode.Diagnostic,
  document: vscode.TextDocument | undefined,
): EditorProblem[] {
  const known = SEVERITIES[severity];
  if (!known) return [];
  const name = typeof code === 'object' ? code.value : code;
  return [
    {
      path: fsPath,
      line: start.line + 1,
      column: start.character + 1,
      severity: known,
      message,
      ...(source !== undefined && { source }),
      ...(name !== undefined && { code: String(name) }),
      text: document && start.line < document.lineCount ? document.lineAt(start.line).text.trim() : '',
    },
  ];
}

async function withRealPaths(problems: readonly EditorProblem[]): Promise<readonly EditorProblem[]> {
  const names = [...new Set(problems.map(({ path }) => path))];
  const real = new Map(
    await Promise.all(names.map(async (name) => [name, await withoutLinks(name)] as const)),
  );
  return problems.map((problem) => ({ ...problem, path: real.get(problem.path) ?? problem.path }));
}
