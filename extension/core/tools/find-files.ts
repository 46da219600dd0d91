import { isAbsolute, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import { isInside } from '../base/paths.ts';
import { requireGlob } from './common/glob-input.ts';
import { requireDirectory } from './common/missing-path.ts';
import { confirmPath, resolveTarget } from './common/resolve-path.ts';
import { defineTool } from './common/tool.ts';
import { asToolErrors, directoryWords } from './common/workspace-failure.ts';

const MOST_PATHS = 1_000;

export const findFiles = defineTool({
  name: 'find_files',
  description:
    'Finds files by a glob for their path, the most recently changed first: "src/**/*.ts"; "*.md" finds ' +
    'that name in every folder. Leaves out ignored files, and hidden ones unless the pattern names them.',
  schema: z.strictObject({
    pattern: z.string().check(z.describe('Glob, relative to path')),
    path: z._default(z.string(), '.').check(z.describe('Directory to look in')),
  }),
  async prepare({ pattern, path }, { workspace }, signal) {
    const target = await resolveTarget(workspace, path);
    const below = isAbsolute(pattern) && isInside(target.path, pattern);
    const glob = below ? relative(target.path, pattern).replaceAll(sep, '/') : pattern;
    requireGlob('find_files', 'pattern', glob);
    await requireDirectory(workspace, target, signal);
    const query = { pattern: glob, path: target.path, most: MOST_PATHS };
    return {
      action: { kind: 'read', tool: 'find_files', targets: [target], recursive: true },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        const { paths, omitted } = await asToolErrors(workspace.find(query, signal), directoryWords);
        const note = noteOf(paths.length, omitted, query);
        return { result: { paths: paths.join('\n'), ...(note !== undefined && { note }) } };
      },
    };
  },
});

function noteOf(count: number, omitted: number, { pattern, path }: { pattern: string; path: string }) {
  if (count === 0) return `no file in ${path} matches ${pattern}; ignored files are not looked at`;
  return omitted > 0 ? `${omitted} older files left out; narrow the pattern or the path` : undefined;
}
