import { relative } from 'node:path';
import type { ActionView } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { ABSENT, type Root } from '../ports/workspace.ts';
import { type Action, deletedFiles, type Target } from './action.ts';
import { isProtected } from './protected-paths.ts';
import type { Scope } from './scope.ts';

/** What the user sees before deciding: the resolved effect, in one sentence and its exact detail. */
export function describeAction(action: Action, scope: Scope | undefined, roots: readonly Root[]): ActionView {
  return {
    title: titleOf(action, roots),
    detail: detailOf(action),
    warnings: warningsOf(action),
    ...(scope && { remember: scope.text }),
    ...('added' in action && { added: action.added, removed: action.removed }),
  };
}

/** A path relative to its workspace folder, with the folder's name if there are several. */
function shortPath(path: string, roots: readonly Root[]): string {
  const root = roots.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`));
  if (!root) return path;
  const inside = relative(root.path, path) || '.';
  return roots.length > 1 ? `${root.name}/${inside}` : inside;
}

function titleOf(action: Action, roots: readonly Root[]): string {
  const [first = '', second = ''] = action.targets.map((target) => shortPath(target.path, roots));
  switch (action.kind) {
    case 'run':
      return action.background ? say('Run this command in the background?') : say('Run this command?');
    case 'read':
      return action.recursive ? say('Search everything in {0}?', first) : say('Read {0}?', first);
    case 'write':
      return action.before === ABSENT ? say('Create {0}?', first) : say('Change {0}?', first);
    case 'move':
      return say('Move {0} to {1}?', first, second);
    case 'patch':
      return patchTitle(action, roots);
  }
}

function patchTitle({ files, rename }: Patch, roots: readonly Root[]): string {
  if (rename) return say('Rename {0} to {1}?', rename.symbol, rename.newName);
  const [first, ...more] = files.filter(({ path }) => !files.some(({ from }) => from === path));
  if (!first || more.length > 0) return say('Apply a patch to {0} files?', more.length + 1);
  const name = shortPath(first.path, roots);
  if (first.from !== undefined) return say('Move {0} to {1}?', shortPath(first.from, roots), name);
  if (first.after === ABSENT) return say('Delete {0}?', name);
  return first.before === ABSENT ? say('Create {0}?', name) : say('Change {0}?', name);
}

type Patch = Extract<Action, { kind: 'patch' }>;

function detailOf(action: Action): string {
  if (action.kind === 'run') return action.command;
  if (action.kind === 'patch') return patchLines(action).join('\n');
  return action.targets.map((target) => target.path).join('\n');
}

/** One line per file with git's letters: A, M, D and R. */
function patchLines({ files }: Patch): string[] {
  const moved = new Set(files.map(({ from }) => from));
  return files
    .filter(({ path, after }) => after !== ABSENT || !moved.has(path))
    .map(({ path, before, after, from }) => {
      if (from !== undefined) return `R ${from} → ${path}`;
      if (after === ABSENT) return `D ${path}`;
      return `${before === ABSENT ? 'A' : 'M'} ${path}`;
    });
}

function warningsOf(action: Action): string[] {
  const warnings = action.targets.flatMap((target) => targetWarnings(target, action.kind !== 'read'));
  if (action.kind === 'run') warnings.push(say('Runs in {0} with your permissions', action.cwd));
  if (action.kind === 'write' && action.unsaved)
    warnings.push(say('Unsaved changes in this file will be saved too'));
  if (action.kind === 'patch') warnings.push(...patchWarnings(action));
  if (action.kind === 'move' && action.overwrites) warnings.push(say('Replaces what already exists there'));
  return warnings;
}

function patchWarnings(action: Patch): string[] {
  const deleted = deletedFiles(action).map(({ path }) => say('Deletes {0}', path));
  const replaced = action.files
    .filter(({ from, before }) => from !== undefined && before !== ABSENT)
    .map(({ path }) => say('Replaces {0}', path));
  const unsaved = say('Unsaved changes in one of these files will be saved too');
  return [...deleted, ...replaced, ...(action.unsaved ? [unsaved] : [])];
}

function targetWarnings(target: Target, changes: boolean): string[] {
  const warnings: string[] = [];
  if (!target.inWorkspace) warnings.push(say('Outside the workspace: {0}', target.path));
  if (changes && isProtected(target.path))
    warnings.push(say('Can change how other tools run: {0}', target.path));
  return warnings;
}
