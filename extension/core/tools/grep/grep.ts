import * as z from 'zod/mini';
import { ToolError } from '../../base/tool-error.ts';
import type { SearchQuery, SearchResult, Workspace } from '../../ports/workspace.ts';
import { confirmPath, resolveTarget } from '../common/resolve-path.ts';
import { defineTool } from '../common/tool.ts';
import { asToolErrors } from '../common/workspace-failure.ts';
import { parseBre } from './bre/parse-bre.ts';
import { PatternError } from './bre/pattern-error.ts';

const MOST_MATCHES = 2000;

export const grep = defineTool({
  name: 'grep',
  description:
    'Finds lines that match a POSIX basic regular expression, as `grep -n` does: case-sensitive, and + ? ' +
    '| ( ) { } are plain characters without a backslash, so get\\|set finds either word. Gives ' +
    'line:content for a file, file:line:content for a directory. Searches a directory without its ' +
    'subdirectories unless recursive is true, and then leaves out .git, binary files and ignored files. ' +
    `Gives at most ${MOST_MATCHES} lines. Example: {"pattern":"parseDate(","path":".","recursive":true}`,
  schema: z.strictObject({
    pattern: z.string().check(z.describe('A line feed in it separates alternatives')),
    path: z.string().check(z.describe('File or directory')),
    recursive: z._default(z.boolean(), false),
  }),
  async prepare({ pattern, path, recursive }, { workspace }) {
    requireValid(pattern);
    const target = await resolveTarget(workspace, path);
    await requireExisting(workspace, target.path);
    const query = { pattern, path: target.path, recursive, maxMatches: MOST_MATCHES };
    return {
      action: { kind: 'read', tool: 'grep', targets: [target], recursive },
      execute: async (signal) => ({ result: { matches: await search(workspace, query, signal) } }),
    };
  },
});

function requireValid(pattern: string): void {
  try {
    parseBre(pattern);
  } catch (error) {
    throw error instanceof PatternError
      ? new ToolError(error.message, { code: 'invalid_input', cause: error })
      : error;
  }
}

async function requireExisting(workspace: Workspace, path: string): Promise<void> {
  const stat = await asToolErrors(workspace.stat(path));
  if (!stat) throw new ToolError(`file not found: ${path}`, { code: 'not_found' });
}

async function search(workspace: Workspace, query: SearchQuery, signal: AbortSignal): Promise<string> {
  await confirmPath(workspace, query.path);
  return withNote(await asToolErrors(workspace.search(query, signal)));
}

function withNote({ matches, omitted }: SearchResult): string {
  if (omitted === 0) return matches;
  return `${matches}\n... (${omitted} more matches left out; narrow the pattern or the path)`;
}
