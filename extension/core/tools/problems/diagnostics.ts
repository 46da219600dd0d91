import * as z from 'zod/mini';
import { isInside } from '../../base/paths.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { ProblemReport } from '../../ports/language-servers.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { requireLanguageServers } from '../common/require-language-servers.ts';
import { resolveTarget } from '../common/resolve-path.ts';
import { defineTool } from '../common/tool.ts';
import { asToolErrors } from '../common/workspace-failure.ts';
import { problemFields } from './report-fields.ts';

/** Problems in one result. */
const MOST = 100;

export const diagnostics = defineTool({
  name: 'diagnostics',
  description:
    'Lists the errors and warnings that the editor knows. It runs no build: a file that no language ' +
    'server has looked at is “not checked”. Your changes report the problems that they cause, so use this ' +
    'for others.',
  needsLanguageServers: true,
  schema: z.strictObject({
    path: z.optional(z.string().check(z.describe('A file or folder; default: everything'))),
  }),
  async prepare({ path }, context) {
    const servers = requireLanguageServers(context);
    const { workspace } = context;
    const target = path === undefined ? undefined : await existing(workspace, path);
    return {
      action: { kind: 'read', tool: 'diagnostics', targets: target ? [target] : [] },
      execute: async () => {
        const report = await servers.problems(target?.path);
        return { result: { ...problemFields(target ? report : await inWorkspace(workspace, report), MOST) } };
      },
    };
  },
});

async function existing(workspace: Workspace, path: string) {
  const target = await resolveTarget(workspace, path);
  if (!(await asToolErrors(workspace.stat(target.path))))
    throw new ToolError(`file not found: ${target.path}`, { code: 'not_found' });
  return target;
}

/** Nobody allowed a look at files elsewhere. */
async function inWorkspace(workspace: Workspace, report: ProblemReport): Promise<ProblemReport> {
  const roots = await asToolErrors(Promise.all(workspace.roots.map(({ path }) => workspace.realpath(path))));
  const isOurs = ({ path }: { readonly path: string }) => roots.some((root) => isInside(root, path));
  return { problems: report.problems.filter(isOurs), unchecked: report.unchecked.filter(isOurs) };
}
