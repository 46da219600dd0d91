import * as z from 'zod/mini';
import { decodeText, READ_LIMIT } from '../../base/text/encoding.ts';
import { formatSize } from '../../base/text/format-size.ts';
import { splitLines } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import { type Workspace, WorkspaceError } from '../../ports/workspace.ts';
import { LONGEST_SECRET } from '../../secrets/secret-patterns.ts';
import { binaryFile, statExistingFile } from '../common/existing-file.ts';
import { lineViewOf } from '../common/line-knowledge.ts';
import { noteWithEncoding } from '../common/overwrite.ts';
import { confirmPath, resolveTarget } from '../common/resolve-path.ts';
import { seenFile } from '../common/seen-file.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../common/tool.ts';
import { asToolErrors } from '../common/workspace-failure.ts';
import { type LineRange, linesOf, requireStart, toLineRange } from './line-range.ts';
import { streamLines } from './stream-lines.ts';

const line = z.int().check(z.meta({ minimum: 1, maximum: undefined }));

export const read = defineTool({
  name: 'read',
  description:
    'Reads a text file: the whole of it, or the lines from start_line to end_line. Lines are counted from 1, both ends ' +
    'are included, and an end_line beyond the end of the file means its last line. Files with unsaved changes are read ' +
    'as the editor shows them. Files over 10 MiB can be read by line ranges only.',
  schema: z.strictObject({
    path: z.string().check(z.describe('Path of the file, absolute or relative to the workspace folder')),
    start_line: z.optional(line.check(z.describe('First line to read'))),
    end_line: z.optional(line.check(z.describe('Last line to read'))),
  }),
  async prepare(input, context) {
    const { workspace } = context;
    const range = toLineRange(input.start_line, input.end_line);
    const target = await resolveTarget(workspace, input.path);
    await statExistingFile(workspace, target.path);
    return {
      action: { kind: 'read', tool: 'read', targets: [target] },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        return readFile(context, target.path, range, signal);
      },
    };
  },
});

type Place = Pick<ToolContext, 'workspace' | 'withoutSecrets' | 'seen'>;

async function readFile(
  context: Place,
  path: string,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { workspace, withoutSecrets, seen } = context;
  const file = await asToolErrors(readUpToLimit(workspace, path));
  if (!file) return readLarge(context, path, range, signal);
  const decoded = decodeText(file.bytes);
  if (!decoded) throw binaryFile(path);
  const { text, encoding } = decoded;
  const note = noteWithEncoding(encoding);
  const view = lineViewOf(seen?.get(path), file.version, text);
  if (!range)
    return {
      result: { content: text, ...note },
      seen: { [path]: seenFile(file.version, text, false, view) },
    };
  const { content, isAll } = linesInPlace(text, range, withoutSecrets);
  return { result: { content, ...note }, seen: { [path]: seenFile(file.version, text, !isAll, view) } };
}

async function readUpToLimit(workspace: Workspace, path: string) {
  try {
    return await workspace.read(path, READ_LIMIT);
  } catch (error) {
    if (WorkspaceError.is(error, 'too-large')) return undefined;
    throw error;
  }
}

/**
 * The version of a file that was read only in part is unknown, so the model's knowledge of it is not stored.
 */
async function readLarge(
  { workspace, withoutSecrets }: Place,
  path: string,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!range) {
    const { size } = await statExistingFile(workspace, path);
    throw new ToolError(
      `file is too large to be read whole: ${path} has ${formatSize(size)}; give start_line and end_line`,
    );
  }
  const found = await asToolErrors(streamLines(path, workspace.stream(path, signal), range));
  const text = decodeText(found.lines)?.text;
  if (signal.aborted) throw new ToolError('stopped before the lines were found');
  if (text === undefined) throw binaryFile(path);
  const [before = '', after = ''] = [found.before, found.after].map((bytes) => decodeText(bytes)?.text);
  const first = splitLines(before).length + 1;
  const last = first + splitLines(text).length - 1;
  return { result: { content: linesOf(withoutSecrets(before + text + after), { first, last }) } };
}

// Takes lines from a text without the secrets of which the lines may have a part.

/**
 * Characters around the lines that are searched for secrets. Terminal codes within a secret make it longer.
 */
const AROUND = 4 * LONGEST_SECRET;

export interface ReadLines {
  readonly content: string;
  /** The lines are the whole text. */
  readonly isAll: boolean;
}

/**
 * The lines of the range with their line ends. Searches for secrets only near them. Throws `ToolError` if the
 * text has fewer than `first`.
 */
export function linesInPlace(
  text: string,
  range: LineRange,
  withoutSecrets: ToolContext['withoutSecrets'],
): ReadLines {
  const start = placeOf(text, range);
  const end = behindLines(text, start, range.last - range.first + 1).place;
  const from = Math.max(0, start - AROUND);
  const first = splitLines(text.slice(from, start)).length + 1;
  const last = first + splitLines(text.slice(start, end)).length - 1;
  const content = linesOf(withoutSecrets(text.slice(from, end + AROUND)), { first, last });
  return { content, isAll: start === 0 && end === text.length };
}

/** The index at which the first line begins. */
function placeOf(text: string, range: LineRange): number {
  const { place, count } = behindLines(text, 0, range.first - 1);
  if (place === text.length) requireStart(range, count);
  return place;
}

/** Skips at most `most` lines from `place`. Returns their number, and the end of the last one. */
function behindLines(text: string, place: number, most: number): { place: number; count: number } {
  let end = place;
  let count = 0;
  while (count < most && end < text.length) {
    end = text.indexOf('\n', end) + 1 || text.length;
    count += 1;
  }
  return { place: end, count };
}
