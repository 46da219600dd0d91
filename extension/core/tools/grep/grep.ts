import * as z from 'zod/mini';
import { ToolError } from '../../base/tool-error.ts';
import type { SearchQuery, SearchResult, Workspace } from '../../ports/workspace.ts';
import { requireGlob } from '../common/glob-input.ts';
import { missingPath } from '../common/missing-path.ts';
import { confirmPath, resolveTarget } from '../common/resolve-path.ts';
import { defineTool } from '../common/tool.ts';
import { asToolErrors } from '../common/workspace-failure.ts';
import { parseBre } from './bre/parse-bre.ts';
import { PatternError } from './bre/pattern-error.ts';
import { firstFinding } from './readings.ts';

const MOST_LINES = 2000;
const MOST_CONTEXT = 20;
const flag = z._default(z.boolean(), false);

export const grep = defineTool({
  name: 'grep',
  description:
    'Searches the lines of files, without ignored and binary ones. Prefer recursive: true on "." to ' +
    'guessing a folder. In the pattern, + ? | ( ) { are plain, unless extended is true: ' +
    '{"pattern":"get|set","path":".","recursive":true,"extended":true}. If nothing matches, other ' +
    'readings are tried and a note says so.',
  schema: z.strictObject({
    pattern: z.string(),
    path: z.string().check(z.describe('File or directory')),
    recursive: flag.check(z.describe('Also below the directory')),
    extended: flag.check(z.describe('As ripgrep reads it')),
    ignore_case: flag,
    glob: z.optional(z.string().check(z.describe('"*.{ts,tsx}"'))),
    context: z
      ._default(z.int().check(z.gte(0), z.lte(MOST_CONTEXT)), 0)
      .check(z.describe('Lines around a match')),
    files_only: flag,
  }),
  async prepare(input, { workspace }, signal) {
    const { pattern, extended, recursive, glob, context } = input;
    if (!extended) requireBasic(pattern);
    if (glob !== undefined) requireGlob('grep', 'glob', glob);
    const target = await resolveTarget(workspace, input.path);
    const stat = await asToolErrors(workspace.stat(target.path));
    if (!stat) throw await missingPath(workspace, target, `file not found: ${target.path}`, signal);
    const isDirectory = stat.type === 'directory';
    const query: SearchQuery = {
      ...{ pattern, path: target.path, recursive, maxMatches: MOST_LINES },
      ...{ ...(extended && { extended }), ...(input.ignore_case && { ignoreCase: true }) },
      ...{ ...(glob !== undefined && { glob }), ...(context > 0 && { context }) },
      ...(input.files_only && { filesOnly: true }),
    };
    return {
      // Without a match in the directory itself, the search goes on below it.
      action: { kind: 'read', tool: 'grep', targets: [target], recursive: recursive || isDirectory },
      execute: async (signal) => ({ result: await search(workspace, query, isDirectory, signal) }),
    };
  },
});

function requireBasic(pattern: string): void {
  try {
    parseBre(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    // What models write for a plain parenthesis opens a group here.
    const hint = /\\[(){}]/.test(pattern) ? '; with extended: true, \\( is a plain parenthesis' : '';
    throw new ToolError(error.message + hint, { code: 'invalid_input', cause: error });
  }
}

async function search(
  workspace: Workspace,
  query: SearchQuery,
  isDirectory: boolean,
  signal: AbortSignal,
): Promise<{ matches: string; note?: string }> {
  await confirmPath(workspace, query.path);
  const ask = (reading: SearchQuery) => asToolErrors(workspace.search(reading, signal));
  const { result, note } = await firstFinding(query, isDirectory, ask);
  return { matches: withCount(result, query), ...(note !== undefined && { note }) };
}

function withCount({ matches, omitted }: SearchResult, { filesOnly }: SearchQuery): string {
  if (omitted === 0) return matches;
  return `${matches}\n... (${omitted} more ${filesOnly ? 'files' : 'matches'} left out; narrow the pattern or the path)`;
}
