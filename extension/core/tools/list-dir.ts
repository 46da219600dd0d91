import * as z from 'zod/mini';
import { requireDirectory } from './common/missing-path.ts';
import { confirmPath, resolveTarget } from './common/resolve-path.ts';
import { defineTool } from './common/tool.ts';
import { asToolErrors, directoryWords } from './common/workspace-failure.ts';

export const listDir = defineTool({
  name: 'list_dir',
  description:
    'Lists a directory as `ls -al` does. With a depth over 1, lists the names below it as a tree, without ' +
    'ignored files. To find files by name, use find_files.',
  schema: z.strictObject({
    path: z.string().check(z.describe('"." is the workspace folder')),
    depth: z._default(z.int().check(z.gte(1), z.lte(5)), 1).check(z.describe('Levels, 1 to 5')),
  }),
  async prepare({ path, depth }, { workspace }, signal) {
    const target = await resolveTarget(workspace, path);
    await requireDirectory(workspace, target, signal);
    return {
      action: { kind: 'read', tool: 'list_dir', targets: [target], ...(depth > 1 && { recursive: true }) },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        const listed =
          depth > 1 ? workspace.tree(target.path, depth, signal) : workspace.list(target.path, signal);
        return { result: { entries: await asToolErrors(listed, directoryWords) } };
      },
    };
  },
});
