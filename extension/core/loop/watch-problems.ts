import type { PreparedCall } from '../tools/common/tool.ts';
import { type ProblemFields, problemFields } from '../tools/problems/report-fields.ts';
import type { ToolRun } from './run.ts';

/** Problems in the result of one change. */
const MOST = 20;

/**
 * Called before a call runs. The returned function, called after it, resolves with the fields that its result
 * gets: the problems that it has caused. None if the call only reads, is a command, or no editor is here.
 */
export function watchProblems(
  { toolContext: { languageServers }, signal }: Pick<ToolRun, 'toolContext' | 'signal'>,
  { action, touches = [] }: PreparedCall,
): () => Promise<ProblemFields | undefined> {
  if (!languageServers || touches === 'workspace' || action.kind === 'read' || touches.length === 0)
    return async () => undefined;
  const report = languageServers.watch(touches);
  return async () => problemFields(await report(signal), MOST);
}
