import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Target } from '../permission/action.ts';
import { ABSENT, type Workspace } from '../ports/workspace.ts';
import { requireParents } from './existing-file.ts';
import { moveDestination, moveSource, type Source } from './move-destination.ts';
import { confirmPath } from './resolve-path.ts';
import { defineTool, type PreparedCall, type SeenFiles, ToolError, type ToolOutput } from './tool.ts';
import { asToolErrors, moveWords } from './workspace-failure.ts';

export const move = defineTool({
  name: 'move',
  description:
    'Moves or renames a file or directory. Where the destination is an existing directory, the source is put into it ' +
    'under its own name. Missing directories are created; an existing file is overwritten, an empty directory replaced.',
  schema: z.strictObject({
    source: z
      .string()
      .check(z.describe('Path of the file or directory, absolute or relative to the workspace folder')),
    destination: z.string().check(z.describe('Its new path, or the existing directory to put it into')),
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
    throw new ToolError(`cannot move the workspace folder itself: ${path}`);
}

/** True where something is in the way that would be replaced. Rejects with `ToolError` where it must not be. */
async function checkDestination(workspace: Workspace, source: Source, path: string): Promise<boolean> {
  await requireParents(workspace, path);
  const stat = await asToolErrors(workspace.stat(path), moveWords);
  if (source.directory && stat && stat.type !== 'directory') {
    throw new ToolError(`cannot overwrite a file with a directory: ${path}`);
  }
  return stat !== undefined || (await asToolErrors(workspace.realpath(path))) !== path;
}

function prepareMove(
  workspace: Workspace,
  source: Target,
  destination: Target,
  overwrites: boolean,
  seen: SeenFiles,
): PreparedCall {
  const paths = { source: source.path, destination: destination.path };
  return {
    action: { kind: 'move', tool: 'move', targets: [source, destination], overwrites },
    touches: [source.path, destination.path],
    execute: async (signal) => {
      await confirmPath(workspace, dirname(source.path));
      await confirmPath(workspace, dirname(destination.path));
      if (signal.aborted) throw new ToolError('stopped; nothing was moved');
      await asToolErrors(workspace.apply({ kind: 'move', ...paths }), moveWords);
      return { result: paths, seen: seenAfter(seen, source.path, destination.path) };
    },
  };
}

/** What the model knows of a file goes with it. */
function seenAfter(seen: SeenFiles, source: string, destination: string): ToolOutput['seen'] {
  const known = seen.get(source);
  return known && { [source]: { version: ABSENT }, [destination]: known };
}
