import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { allows } from '../fs/access.ts';

/**
 * The ignore files that ripgrep reads, strongest first. A rule of one kind beats every rule of the next
 * kinds, in any folder.
 */
const kinds = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude'] as const;
type Kind = (typeof kinds)[number];

/** The rules of one directory and of those above it. */
export interface IgnoreRules {
  readonly directory: string;
  /** The directory is the root of a repository, so Git's rules from the directories above do not apply. */
  readonly isRepository: boolean;
  readonly files: ReadonlyMap<Kind, Ignore>;
  readonly above: IgnoreRules | undefined;
}

/** Caches the rules of directories by path. */
export type KnownRules = Map<string, Promise<IgnoreRules>>;

/**
 * Resolves with the rules of all directories above `path`. Callers that share `known` read each directory
 * once.
 */
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

/** Reads the rules for the entries of `directory`. */
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

/** Whether the directory is the root of a repository, a worktree or a submodule. */
export function isRepository(directory: string): Promise<boolean> {
  return allows(join(directory, '.git'), constants.F_OK);
}

export function isBelowRepository(rules: IgnoreRules | undefined): boolean {
  return rules !== undefined && (rules.isRepository || isBelowRepository(rules.above));
}

/** Whether an ignore file names `path`, or a directory between that file's own directory and `path`. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isDirectory: boolean): boolean {
  const named = isDirectory ? `${path}${sep}` : path;
  for (const kind of kinds) {
    const verdict = verdictOf(kind, rules, named);
    if (verdict) return verdict === 'ignored';
  }
  return false;
}

/** The nearest rule decides. */
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

/** Uses forward slashes, and keeps a separator at the end of `path`. */
function pathBelow(directory: string, path: string): string {
  const below = relative(directory, path).replaceAll(sep, '/');
  return path.endsWith(sep) ? `${below}/` : below;
}

async function readRules(path: string): Promise<Ignore | undefined> {
  try {
    return ignore({ ignorecase: false }).add(await readFile(path, 'utf8'));
  } catch {
    return undefined; // missing or unreadable: ripgrep continues without it, too
  }
}

/**
 * Returns a test that resolves with true if the ignore files name a path. Reads the rules of each directory
 * once.
 */
export function createIgnoreCheck(): (path: string) => Promise<boolean> {
  const known: KnownRules = new Map();
  return async (path) => isIgnored(await rulesAbove(path, known), path, false);
}
