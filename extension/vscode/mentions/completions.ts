import * as vscode from 'vscode';
import { type Completion, MAX_COMPLETIONS } from '../../protocol/composer-messages.ts';
import type { FileList, FoundPath } from './file-list.ts';
import { selectedText } from './resolve-mention.ts';
import { type FoundSymbol, findSymbols } from './symbols.ts';

/** The most symbols in one list. */
const MAX_SYMBOLS = 12;
/** The shortest query for symbols, because a shorter one matches too many. */
const SYMBOL_QUERY = 2;

/** Completions for `@` followed by `query`, best first. `#name` requests only symbols. */
export async function completeMention(files: FileList, query: string): Promise<readonly Completion[]> {
  if (query.startsWith('#')) return (await findSymbols(query.slice(1), MAX_COMPLETIONS)).map(ofSymbol);
  const asksForSymbols = query.length >= SYMBOL_QUERY && !query.includes('/');
  const [paths, symbols] = await Promise.all([
    files.find(query, MAX_COMPLETIONS),
    asksForSymbols ? findSymbols(query, MAX_SYMBOLS) : [],
  ]);
  const fixed = fixedCompletions().filter(({ name }) => name.startsWith(query.toLowerCase()));
  const room = MAX_COMPLETIONS - fixed.length - symbols.length;
  return [...fixed, ...paths.slice(0, room).map(ofPath), ...symbols.map(ofSymbol)];
}

function fixedCompletions(): readonly Completion[] {
  return (
    [
      { kind: 'selection', detail: selectionDetail() },
      { kind: 'problems', detail: vscode.l10n.t('errors and warnings in the workspace') },
      {
        kind: 'terminal',
        detail: vscode.l10n.t('recent terminal commands since Harness started in this window'),
      },
      { kind: 'git', detail: vscode.l10n.t('changes since the last commit') },
    ] as const
  ).map(({ kind, detail }) => ({ kind, detail, label: kind, name: kind }));
}

function selectionDetail(): string {
  const selected = selectedText();
  if (!selected) return vscode.l10n.t('nothing selected');
  const { start, end } = selected.range;
  return `${vscode.workspace.asRelativePath(selected.uri)}:${start.line + 1}-${end.line + 1}`;
}

function ofPath({ name, isFolder }: FoundPath): Completion {
  const cut = name.lastIndexOf('/', name.length - 2) + 1;
  return {
    kind: isFolder ? 'folder' : 'file',
    label: name.slice(cut),
    detail: name.slice(0, cut).replace(/\/$/, ''),
    name,
  };
}

function ofSymbol({ name, file, line }: FoundSymbol): Completion {
  return { kind: 'symbol', label: name, detail: `${file}:${line}`, name: `${file}#${name}` };
}
