import { basename, join } from 'node:path';
import type { Target } from '../permission/action.ts';
import type { FileStat, Workspace } from '../ports/workspace.ts';
import { isInside } from './is-inside.ts';
import { entryTarget, resolveEntry } from './resolve-path.ts';
import { ToolError } from './tool.ts';
import { asToolErrors, moveWords } from './workspace-failure.ts';

export interface Source {
  readonly target: Target;
  /** A link counts as a file: it is moved itself. */
  readonly directory: boolean;
}

/** Rejects with `ToolError` where there is nothing to move. */
export async function moveSource(workspace: Workspace, given: string): Promise<Source> {
  const target = await resolveEntry(workspace, given);
  const stat = await readable(workspace.stat(target.path), target.path);
  const link = (await asToolErrors(workspace.realpath(target.path))) !== target.path;
  if (!stat && !link) throw new ToolError(`source not found: ${target.path}`);
  return { target, directory: !link && stat?.type === 'directory' };
}

/** Where the source will stand: below a directory that exists, else at the path itself. Rejects with `ToolError`. */
export async function moveDestination(workspace: Workspace, source: Source, given: string): Promise<Target> {
  const wanted = await resolveEntry(workspace, given);
  if (wanted.path === source.target.path) throw sameError();
  const destination = await placeFor(workspace, source, wanted);
  if (destination.path === source.target.path) throw sameError();
  if (source.directory && isInside(source.target.path, destination.path)) {
    throw new ToolError('cannot move directory into itself');
  }
  return destination;
}

async function placeFor(workspace: Workspace, source: Source, wanted: Target): Promise<Target> {
  if (await isCaseChange(workspace, source, wanted)) return wanted;
  const stat = await asToolErrors(workspace.stat(wanted.path), moveWords);
  return isMeantAsDirectory(source, wanted, stat)
    ? entryTarget(workspace, wanted.given, join(wanted.path, basename(source.target.path)))
    : wanted;
}

function isMeantAsDirectory(source: Source, wanted: Target, stat: FileStat | undefined): boolean {
  if (stat?.type === 'directory') return true;
  if (!/[\\/]$/.test(wanted.given)) return false;
  if (stat) throw new ToolError(`not a directory: ${wanted.path}`);
  return !source.directory;
}

/** On a file system without case, `Name` is found when `name` is asked for, and is not something else in its place. */
async function isCaseChange(workspace: Workspace, source: Source, wanted: Target): Promise<boolean> {
  if (wanted.path.toLowerCase() !== source.target.path.toLowerCase()) return false;
  return (await asToolErrors(workspace.realpath(wanted.path))) === source.target.path;
}

function sameError(): ToolError {
  return new ToolError('source and destination are the same');
}

async function readable<T>(work: Promise<T>, path: string): Promise<T> {
  return asToolErrors(work, {
    ...moveWords,
    'permission-denied': () => `permission denied: cannot read ${path}`,
  });
}
