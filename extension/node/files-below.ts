import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IgnoreRules, isIgnored, isRepository, rulesAbove, rulesOf } from './ignore-rules.ts';
import type { SearchScope, TreeScope } from './search-scope.ts';

/**
 * The regular files of the scope, sorted by path, without following links: what ripgrep would search. A directory that
 * cannot be read has none. Rejects with the signal's reason.
 */
export async function* filesOf(
  path: string,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (scope.kind === 'file') yield path;
  else if (scope.kind === 'directory') yield* filesIn(path, signal);
  else if (scope.isIgnored) yield* filesBelow(path, signal);
  else yield* wantedFilesBelow(path, await rulesAbove(path), scope, signal);
}

async function* filesIn(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(directory, signal))
    if (entry.isFile()) yield join(directory, entry.name);
}

async function* filesBelow(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (isGit(entry)) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* filesBelow(path, signal);
  }
}

async function* wantedFilesBelow(
  directory: string,
  above: IgnoreRules | undefined,
  scope: TreeScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const rules = await rulesOf(directory, scope.isInRepository && (await isRepository(directory)), above);
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (isGit(entry) || isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* wantedFilesBelow(path, rules, scope, signal);
  }
}

/** The repository, or the file that says where it is. */
function isGit(entry: Dirent): boolean {
  return entry.name === '.git';
}

async function entriesOf(directory: string, signal: AbortSignal): Promise<Dirent[]> {
  signal.throwIfAborted();
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
