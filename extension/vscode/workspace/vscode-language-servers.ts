import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { unlessAborted } from '../../core/base/abort.ts';
import type {
  CodePlace,
  CodeSymbol,
  LanguageServers,
  ServerAnswer,
  ServerEdit,
  ServerRename,
  TextPosition,
} from '../../core/ports/language-servers.ts';
import { EditorProblems } from './editor-problems.ts';
import { openDocument, withoutLinks } from './open-documents.ts';

/** Milliseconds. A server that has just been started reads its project first. */
const LIMIT_MS = 15_000;

const COMMANDS = {
  definition: 'vscode.executeDefinitionProvider',
  references: 'vscode.executeReferenceProvider',
  implementations: 'vscode.executeImplementationProvider',
} as const;

type Found = vscode.Location | vscode.LocationLink;

/** The language servers of this window. */
export class VscodeLanguageServers extends EditorProblems implements LanguageServers {
  places(
    kind: keyof typeof COMMANDS,
    path: string,
    at: TextPosition,
    signal: AbortSignal,
  ): Promise<ServerAnswer<readonly CodePlace[]>> {
    return answerOf(signal, async () => {
      const found = await ask<readonly Found[]>(COMMANDS[kind], path, toPosition(at));
      return Promise.all((found ?? []).flatMap(placeOf));
    });
  }

  hover(path: string, at: TextPosition, signal: AbortSignal): Promise<ServerAnswer<string>> {
    return answerOf(signal, async () => {
      const hovers = await ask<readonly vscode.Hover[]>('vscode.executeHoverProvider', path, toPosition(at));
      const texts = (hovers ?? []).flatMap(({ contents }) => contents.map(textOf));
      return texts.filter((text) => text.trim() !== '').join('\n\n');
    });
  }

  symbols(path: string, signal: AbortSignal): Promise<ServerAnswer<readonly CodeSymbol[]>> {
    return answerOf(signal, async () => {
      const command = 'vscode.executeDocumentSymbolProvider';
      const found = await ask<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(command, path);
      return (found ?? []).flatMap((symbol) => toSymbols(symbol, 0));
    });
  }

  rename(
    path: string,
    at: TextPosition,
    newName: string,
    signal: AbortSignal,
  ): Promise<ServerAnswer<ServerRename>> {
    return answerOf(signal, async () => {
      const command = 'vscode.executeDocumentRenameProvider';
      // For a document that is not open, VS Code 1.139 does not pass the new name on.
      await vscode.workspace.openTextDocument(await uriOf(path));
      const edit = await ask<vscode.WorkspaceEdit>(command, path, toPosition(at), newName);
      const files = (edit?.entries() ?? []).filter(([, edits]) => edits.length > 0);
      return { files: await Promise.all(files.map(fileEdits)), movesFiles: hasFileOperations(edit) };
    });
  }
}

async function ask<Value>(command: string, path: string, ...given: unknown[]): Promise<Value | undefined> {
  return vscode.commands.executeCommand<Value | undefined>(command, await uriOf(path), ...given);
}

async function uriOf(path: string): Promise<vscode.Uri> {
  return (await openDocument(path))?.uri ?? vscode.Uri.file(path);
}

/** Never rejects. */
async function answerOf<Value>(
  signal: AbortSignal,
  make: () => Promise<Value>,
): Promise<ServerAnswer<Value>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    const answer = await unlessAborted(
      make().then((value) => ({ value })),
      limit,
    );
    return answer ?? { failure: signal.aborted ? 'stopped; nothing was asked' : TOO_LATE };
  } catch (error) {
    return { failure: `the language server refused: ${String(error)}` };
  }
}

const TOO_LATE = `no language server has answered in ${LIMIT_MS / 1000} s, so nothing is known; try again later, or search with grep`;

function toPosition({ line, column }: TextPosition): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

function fromPosition({ line, character }: vscode.Position): TextPosition {
  return { line: line + 1, column: character + 1 };
}

/** Nothing for a place in a virtual document, which has no path. */
function placeOf(found: Found): Promise<CodePlace>[] {
  const isLink = 'targetUri' in found;
  const uri = isLink ? found.targetUri : found.uri;
  const { start } = isLink ? (found.targetSelectionRange ?? found.targetRange) : found.range;
  if (uri.scheme !== 'file') return [];
  return [withoutLinks(uri.fsPath).then((path) => ({ path, ...fromPosition(start) }))];
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}

function toSymbols(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, depth: number): CodeSymbol[] {
  const isTree = 'selectionRange' in symbol;
  const { line } = isTree ? symbol.selectionRange.start : symbol.location.range.start;
  const kind = vscode.SymbolKind[symbol.kind].replace(/(?<=[a-z])[A-Z]/, ' $&').toLowerCase();
  const inner = isTree ? symbol.children.flatMap((child) => toSymbols(child, depth + 1)) : [];
  return [{ name: symbol.name, kind, line: line + 1, depth }, ...inner];
}

async function fileEdits([uri, edits]: [vscode.Uri, vscode.TextEdit[]]): Promise<
  ServerRename['files'][number]
> {
  const document = await vscode.workspace.openTextDocument(uri);
  const toEdit = ({ range, newText }: vscode.TextEdit): ServerEdit => ({
    start: fromPosition(range.start),
    end: fromPosition(range.end),
    old: document.getText(range),
    text: newText,
  });
  return { path: await withoutLinks(uri.fsPath), edits: edits.map(toEdit) };
}

const TEXT_EDIT = 2;
const withSteps = z.object({ _edits: z.array(z.object({ _type: z.number() })) });

/** VS Code's API does not list an edit's file operations. Its class has them beside the text edits. */
function hasFileOperations(edit: vscode.WorkspaceEdit | undefined): boolean {
  const steps = withSteps.safeParse(edit).data?._edits ?? [];
  return steps.some(({ _type }) => _type !== TEXT_EDIT);
}
