import * as vscode from 'vscode';
import * as z from 'zod/mini';

const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);
const SOURCES = new Set(['ts', 'js']);

/** A response of tsserver (https://github.com/microsoft/TypeScript/wiki/Standalone-Server-%28tsserver%29). */
const response = z.object({
  type: z.literal('response'),
  body: z.array(
    z.object({
      category: z.string(),
      code: z.optional(z.number()),
      start: z.object({ line: z.number(), offset: z.number() }),
    }),
  ),
});

/** The errors and warnings of a document's current text, as the server of VS Code's own TypeScript finds them. */
export class TypescriptProblems {
  readonly #keys: readonly string[];

  private constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Undefined for another language, and where that server does not answer. */
  static async ask({ uri, languageId }: vscode.TextDocument): Promise<TypescriptProblems | undefined> {
    if (!LANGUAGES.has(languageId)) return undefined;
    const requests = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'];
    const answers = await Promise.all(requests.map((request) => answerTo(request, uri)));
    const bodies = answers.flatMap((answer) => (answer ? [answer.body] : []));
    if (bodies.length < requests.length) return undefined;
    const found = bodies.flat().filter(({ category }) => category === 'error' || category === 'warning');
    return new TypescriptProblems(
      found.map(({ code, start }) => keyOf(start.line - 1, start.offset - 1, code)).toSorted(),
    );
  }

  /** The editor shows these problems, and none of an earlier text. */
  isShown({ uri }: vscode.TextDocument): boolean {
    const shown = vscode.languages
      .getDiagnostics(uri)
      .filter(({ source = '', severity }) => SOURCES.has(source) && severity <= WARNING)
      .map(({ code, range: { start } }) => keyOf(start.line, start.character, code))
      .toSorted();
    return shown.length === this.#keys.length && shown.every((key, index) => key === this.#keys[index]);
  }
}

const WARNING = vscode.DiagnosticSeverity.Warning;

function keyOf(line: number, character: number, code: vscode.Diagnostic['code']): string {
  return `${line}:${character}:${String(typeof code === 'object' ? code.value : code)}`;
}

async function answerTo(request: string, file: vscode.Uri) {
  const answer = vscode.commands.executeCommand('typescript.tsserverRequest', request, { file });
  return answer.then(
    (value) => response.safeParse(value).data,
    // The command is not there without VS Code's own TypeScript extension.
    () => undefined,
  );
}
