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
import { TypescriptProblems } from './typescript-problems.ts';

/** Of the tabs that a change does not touch, TypeScript is asked only for so many, because each takes time. */
const MOST_OTHERS = 10;

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
    const unchecked = shown.flatMap((each, index) => (isUnchecked[index] ? [withoutAnswer(each)] : []));
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
      // What is listed for an unchecked document may be about its earlier text.
      const checked = new Set(shown.filter((each) => !unchecked.includes(each)).map(({ path }) => path));
      const after = (await withRealPaths(knownProblems())).filter(({ path }) => checked.has(path));
      const problems = newProblems(await withRealPaths(before), after, paths);
      return { problems, unchecked: [...closed, ...unchecked.map(withoutAnswer)] };
    };
  }

  dispose(): void {
    this.#reports.dispose();
  }

  async #isUnchecked(document: vscode.TextDocument): Promise<boolean> {
    if (this.#reports.hasReported(document)) return false;
    if (vscode.languages.getDiagnostics(document.uri).length > 0) return false;
    return !(await TypescriptProblems.ask(document))?.isShown(document);
  }

  /**
   * Waits for the servers. Resolves with the touched documents that none has checked. TypeScript reports nothing
   * on a document that stays without problems, so it is asked for the problems of the tabs. The editor must show
   * what it answers. Any other server must report on the touched documents.
   */
  async #settle(
    shown: readonly ShownDocument[],
    touched: readonly ShownDocument[],
    mark: number,
    signal: AbortSignal,
  ): Promise<readonly ShownDocument[]> {
    if (touched.every(({ document }) => this.#reports.isSilent(document))) return touched;
    const others = shown.filter((each) => !touched.includes(each)).slice(0, MOST_OTHERS);
    // The server answers in this order.
    const asked = [...touched, ...others];
    const answers = new Map<ShownDocument, TypescriptProblems | undefined>();
    const asking = asked.map(async (each) => answers.set(each, await TypescriptProblems.ask(each.document)));
    const isChecked = (each: ShownDocument) =>
      answers.get(each)?.isShown(each.document) ?? this.#reports.hasReported(each.document, mark);
    const isAwaited = (each: ShownDocument) =>
      !this.#reports.isSilent(each.document) && (answers.get(each) !== undefined || touched.includes(each));
    const isDone = () =>
      answers.size === asked.length && asked.every((each) => isChecked(each) || !isAwaited(each));
    await this.#reports.wait(isDone, Promise.all(asking), signal);
    const unchecked = touched.filter((each) => !isChecked(each));
    // A server of TypeScript that still starts will answer later.
    const silent = signal.aborted ? [] : unchecked.filter((each) => answers.has(each));
    for (const { document } of silent) this.#reports.noteSilence(document);
    return unchecked;
  }
}

function withoutAnswer({ path }: ShownDocument): UncheckedFile {
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
