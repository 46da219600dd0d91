import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IgnoreRules, isIgnored, rulesAbove, rulesOf } from './ignore-rules.ts';
import type { SearchScope } from './search-scope.ts';

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
  else if (scope.kind === 'tree' && !scope.ignored) yield* notIgnored(path, await rulesAbove(path), signal);
  else yield* all(path, scope.kind === 'tree', signal);
}

async function* all(directory: string, recursive: boolean, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (recursive && isFolder(entry)) yield* all(path, recursive, signal);
  }
}

async function* notIgnored(
  directory: string,
  above: IgnoreRules | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const rules = await rulesOf(directory, above);
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isFile()) yield path;
    else if (isFolder(entry)) yield* notIgnored(path, rules, signal);
  }
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== '.git';
}

async function entriesOf(directory: string, signal: AbortSignal): Promise<Dirent[]> {
  signal.throwIfAborted();
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
