import * as vscode from 'vscode';
import * as z from 'zod/mini';

const LANGUAGES = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

/** A response of tsserver (https://github.com/microsoft/TypeScript/wiki/Standalone-Server-%28tsserver%29). */
const response = z.object({
  type: z.literal('response'),
  body: z.array(z.object({ category: z.string() })),
});

/**
 * How many errors and warnings VS Code's TypeScript server finds in the current text. Undefined for another
 * language, and where that server does not answer.
 */
export async function typescriptProblems({
  uri,
  languageId,
}: vscode.TextDocument): Promise<number | undefined> {
  if (!LANGUAGES.has(languageId)) return undefined;
  const answers = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map(async (request) => {
      const answer = vscode.commands.executeCommand('typescript.tsserverRequest', request, { file: uri });
      return answer.then(
        (value) => response.safeParse(value).data,
        // The command is not there without VS Code's own TypeScript extension.
        () => undefined,
      );
    }),
  );
  if (answers.some((answer) => answer === undefined)) return undefined;
  return answers.flatMap((answer) => answer?.body ?? []).filter(({ category }) => category !== 'suggestion')
    .length;
}
