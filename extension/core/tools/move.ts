import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { isInside } from '../base/paths.ts';
import { ToolError } from '../base/tool-error.ts';
import type { SeenFiles } from '../log/seen-files.ts';
import type { Target } from '../permission/action.ts';
import type { FileStat, Workspace } from '../ports/workspace.ts';
import { requireParents } from './common/existing-file.ts';
import { confirmPath, entryTarget, resolveEntry } from './common/resolve-path.ts';
import { SEEN_ABSENT } from './common/seen-file.ts';
import { defineTool, type PreparedCall, type ToolOutput } from './common/tool.ts';
import { asToolErrors, moveWords } from './common/workspace-failure.ts';

export const move = defineTool({
  name: 'move',
  description:
    'Moves or renames a file or directory. An existing directory as the destination takes the source ' +
    'under its own name. Overwrites an existing file. To copy or delete, use bash.',
  schema: z.strictObject({
    source: z.string(),
    destination: z.string(),
  }),
  async prepare(input, { workspace, seen }) {
    const source = await moveSource(workspace, input.source);
    requireNoRoot(workspace, source.target.path);
    const destination = await moveDestination(workspace, source, input.destination);
    const overwrites = await checkDestination(workspace, source, destination.path);
    return prepareMove(workspace, source.target, destination, overwrites, seen);
  },
});

function requireNoRoot(workspace: Workspace, path: string): void {
  if (workspace.roots.some((root) => root.path === path))
    throw new ToolError(`cannot move the workspace folder itself: ${path}`, { code: 'invalid_input' });
}

/**
 * True if the move replaces something at the destination. Rejects with `ToolError` if it must not be
 * replaced.
 */
async function checkDestination(workspace: Workspace, source: Source, path: string): Promise<boolean> {
  await requireParents(workspace, path);
  const stat = await asToolErrors(workspace.stat(path), moveWords);
  if (source.directory && stat && stat.type !== 'directory') {
    throw new ToolError(`cannot overwrite a file with a directory: ${path}`, { code: 'conflict' });
  }
  return stat !== undefined || (await asToolErrors(workspace.realpath(path))) !== path;
}

function prepareMove(
  workspace: Workspace,
  source: Target,
  destination: Target,
  overwrites: boolean,
  seen: SeenFiles | undefined,
): PreparedCall {
  const paths = { source: source.path, destination: destination.path };
  return {
    action: { kind: 'move', tool: 'move', targets: [source, destination], overwrites },
    touches: [source.path, destination.path],
    execute: async (signal) => {
      await confirmPath(workspace, dirname(source.path));
      await confirmPath(workspace, dirname(destination.path));
      if (signal.aborted) throw new ToolError('stopped; nothing was moved', { code: 'cancelled' });
      await asToolErrors(workspace.apply({ kind: 'move', ...paths }), moveWords);
      return { result: paths, seen: seenAfter(seen, source.path, destination.path) };
    },
  };
}

/** The model's knowledge of a file moves with it. */
function seenAfter(seen: SeenFiles | undefined, source: string, destination: string): ToolOutput['seen'] {
  const known = seen?.get(source);
  return known && { [source]: SEEN_ABSENT, [destination]: known };
}

export interface Source {
  readonly target: Target;
  /** A link counts as a file: the link itself is moved. */
  readonly directory: boolean;
}

/** Rejects with `ToolError` if there is nothing to move. */
export async function moveSource(workspace: Workspace, given: string): Promise<Source> {
  const target = await resolveEntry(workspace, given);
  const stat = await readable(workspace.stat(target.path), target.path);
  const link = (await asToolErrors(workspace.realpath(target.path))) !== target.path;
  if (!stat && !link) throw new ToolError(`source not found: ${target.path}`, { code: 'not_found' });
  return { target, directory: !link && stat?.type === 'directory' };
}

/**
 * The new path of the source: in the directory if one exists at the path, else at the path itself. Rejects
 * with `ToolError`.
 */
export async function moveDestination(workspace: Workspace, source: Source, given: string): Promise<Target> {
  const wanted = await resolveEntry(workspace, given);
  if (wanted.path === source.target.path) throw sameError();
  const destination = await placeFor(workspace, source, wanted);
  if (destination.path === source.target.path) throw sameError();
  if (source.directory && isInside(source.target.path, destination.path)) {
    throw new ToolError('cannot move directory into itself', { code: 'invalid_input' });
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
  if (stat) throw new ToolError(`not a directory: ${wanted.path}`, { code: 'invalid_input' });
  return !source.directory;
}

/**
 * On a case-insensitive file system, a lookup of `name` finds `Name`. That is the source itself, not another
 * file at its destination.
 */
async function isCaseChange(workspace: Workspace, source: Source, wanted: Target): Promise<boolean> {
  if (wanted.path.toLowerCase() !== source.target.path.toLowerCase()) return false;
  return (await asToolErrors(workspace.realpath(wanted.path))) === source.target.path;
}

function sameError(): ToolError {
  return new ToolError('source and destination are the same', { code: 'invalid_input' });
}

async function readable<T>(work: Promise<T>, path: string): Promise<T> {
  return asToolErrors(work, {
    ...moveWords,
    'permission-denied': () => `permission denied: cannot read ${path}`,
  });
}
