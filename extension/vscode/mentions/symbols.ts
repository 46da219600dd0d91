import * as vscode from 'vscode';

export interface FoundSymbol {
  /** The symbol with its container: `Store.open`. */
  readonly name: string;
  /** The path in a prompt. */
  readonly file: string;
  readonly line: number;
}

/** Milliseconds; the time limit of a language extension. */
const PATIENCE = 1_500;

/** Symbols of the active file, then of the workspace, that contain `query`; at most `most`. */
export async function findSymbols(query: string, most: number): Promise<readonly FoundSymbol[]> {
  const [here, everywhere] = await Promise.all([symbolsInFront(), symbolsOfWorkspace(query)]);
  const wanted = query.toLowerCase();
  const found = [...here, ...everywhere].filter(({ name }) => name.toLowerCase().includes(wanted));
  const unique = new Map(found.map((symbol) => [`${symbol.file}#${symbol.name}`, symbol]));
  return [...unique.values()].slice(0, most);
}

/** The lines of a symbol in a document; undefined if no symbol has that name. */
export async function symbolRange(uri: vscode.Uri, name: string): Promise<vscode.Range | undefined> {
  return (await symbolsOf(uri)).find((symbol) => symbol.name === name)?.range;
}

async function symbolsInFront(): Promise<readonly FoundSymbol[]> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri || !vscode.workspace.getWorkspaceFolder(uri)) return [];
  const file = vscode.workspace.asRelativePath(uri);
  return (await symbolsOf(uri)).map(({ name, range }) => ({ name, file, line: range.start.line + 1 }));
}

async function symbolsOf(uri: vscode.Uri): Promise<{ name: string; range: vscode.Range }[]> {
  const found = vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  return ((await within(PATIENCE, found)) ?? []).flatMap((symbol) => flatten(symbol, ''));
}

function flatten(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
): { name: string; range: vscode.Range }[] {
  const name = `${container}${symbol.name}`;
  if (!('children' in symbol)) return [{ name, range: symbol.location.range }];
  return [{ name, range: symbol.range }, ...symbol.children.flatMap((child) => flatten(child, `${name}.`))];
}

async function symbolsOfWorkspace(query: string): Promise<readonly FoundSymbol[]> {
  const found = vscode.commands.executeCommand<vscode.SymbolInformation[]>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return ((await within(PATIENCE, found)) ?? [])
    .filter(({ location }) => vscode.workspace.getWorkspaceFolder(location.uri))
    .map(({ name, containerName, location }) => ({
      name: containerName ? `${containerName}.${name}` : name,
      file: vscode.workspace.asRelativePath(location.uri),
      line: location.range.start.line + 1,
    }));
}

/** The result of `work`; undefined if it fails or takes longer than this. */
export async function within<T>(milliseconds: number, work: PromiseLike<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    // The failure of another component, such as a language extension. There is nothing to show.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
