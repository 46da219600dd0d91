import * as z from 'zod/mini';
import { ToolError } from '../base/tool-error.ts';
import type { Workspace } from '../ports/workspace.ts';
import { confirmPath, resolveTarget } from './common/resolve-path.ts';
import { defineTool } from './common/tool.ts';
import { asToolErrors, directoryWords } from './common/workspace-failure.ts';

export const listDir = defineTool({
  name: 'list_dir',
  description:
    'Lists the names, kinds and sizes in one directory, hidden files too. Use it to see what is there; to ' +
    'search in files, use grep.',
  schema: z.strictObject({
    path: z.string().check(z.describe('"." is the workspace folder')),
  }),
  async prepare({ path }, { workspace }) {
    const target = await resolveTarget(workspace, path);
    await requireDirectory(workspace, target.path);
    return {
      action: { kind: 'read', tool: 'list_dir', targets: [target] },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        const entries = await asToolErrors(workspace.list(target.path, signal), directoryWords);
        return { result: { entries } };
      },
    };
  },
});

async function requireDirectory(workspace: Workspace, path: string): Promise<void> {
  const stat = await asToolErrors(workspace.stat(path), directoryWords);
  if (!stat) throw new ToolError(`path does not exist: ${path}`, { code: 'not_found' });
  if (stat.type !== 'directory') throw new ToolError(`not a directory: ${path}`, { code: 'invalid_input' });
}
