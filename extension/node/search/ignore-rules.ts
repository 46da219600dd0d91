import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { allows } from '../fs/access.ts';

/** The ignore files that ripgrep reads, the strongest first: a rule of one beats every rule of the next, wherever they lie. */
const kinds = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude'] as const;
type Kind = (typeof kinds)[number];

/** The rules of one directory and of those above it. */
export interface IgnoreRules {
  readonly directory: string;
  /** Git's own rules of the directories above count no more. */
  readonly isRepository: boolean;
  readonly files: ReadonlyMap<Kind, Ignore>;
  readonly above: IgnoreRules | undefined;
}

/** The rules of directories that were read already. */
export type KnownRules = Map<string, Promise<IgnoreRules>>;

/** The rules of all directories above `path`. Those of each directory are read once for all who share `known`. */
export async function rulesAbove(
  path: string,
  known: KnownRules = new Map(),
): Promise<IgnoreRules | undefined> {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const rules = known.get(parent) ?? readRulesAbove(parent, known);
  known.set(parent, rules);
  return rules;
}

async function readRulesAbove(directory: string, known: KnownRules): Promise<IgnoreRules> {
  const above = await rulesAbove(directory, known);
  return rulesOf(directory, await isRepository(directory), above);
}

/** The rules that hold for the entries of `directory`. */
export async function rulesOf(
  directory: string,
  isRepository: boolean,
  above: IgnoreRules | undefined,
): Promise<IgnoreRules> {
  const files = new Map<Kind, Ignore>();
  for (const kind of kinds) {
    const rules = await readRules(join(directory, kind));
    if (rules) files.set(kind, rules);
  }
  return { directory, isRepository, files, above };
}

/** The directory is the root of a repository, a worktree or a submodule. */
export function isRepository(directory: string): Promise<boolean> {
  return allows(join(directory, '.git'), constants.F_OK);
}

export function isBelowRepository(rules: IgnoreRules | undefined): boolean {
  return rules !== undefined && (rules.isRepository || isBelowRepository(rules.above));
}

/** The ignore files name `path`, or a directory above it that lies below their own. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isDirectory: boolean): boolean {
  const named = isDirectory ? `${path}${sep}` : path;
  for (const kind of kinds) {
    const verdict = verdictOf(kind, rules, named);
    if (verdict) return verdict === 'ignored';
  }
  return false;
}

/** The nearest rule counts. */
function verdictOf(
  kind: Kind,
  rules: IgnoreRules | undefined,
  path: string,
): 'ignored' | 'wanted' | undefined {
  if (!rules) return undefined;
  const result = rules.files.get(kind)?.test(pathBelow(rules.directory, path));
  if (result?.ignored) return 'ignored';
  if (result?.unignored) return 'wanted';
  return rules.isRepository && kind.startsWith('.git') ? undefined : verdictOf(kind, rules.above, path);
}

/** With forward slashes, and one at the end where `path` has one. */
function pathBelow(directory: string, path: string): string {
  const below = relative(directory, path).replaceAll(sep, '/');
  return path.endsWith(sep) ? `${below}/` : below;
}

async function readRules(path: string): Promise<Ignore | undefined> {
  try {
    return ignore({ ignorecase: false }).add(await readFile(path, 'utf8'));
  } catch {
    return undefined; // not there, or not readable: ripgrep goes on without it as well
  }
}

/** Whether the ignore files name a path. Those of each directory are read once. */
export function createIgnoreCheck(): (path: string) => Promise<boolean> {
  const known: KnownRules = new Map();
  return async (path) => isIgnored(await rulesAbove(path, known), path, false);
}
