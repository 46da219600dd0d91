import * as z from 'zod/mini';
import { decodeText, READ_LIMIT } from '../../base/text/encoding.ts';
import { formatSize } from '../../base/text/format-size.ts';
import { afterLines, countLinesIn } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import { type Workspace, WorkspaceError } from '../../ports/workspace.ts';
import { LONGEST_SECRET } from '../../secrets/secret-patterns.ts';
import { binaryFile, statExistingFile } from '../common/existing-file.ts';
import { lineViewOf } from '../common/line-knowledge.ts';
import { requireFile } from '../common/missing-path.ts';
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
    'Reads a file, or its lines from start_line to end_line, both included. The answer has line numbers, ' +
    'which are not part of the file. An image is shown to you as a picture. To search files, use grep.',
  schema: z.strictObject({
    path: z.string(),
    start_line: z.optional(line),
    end_line: z.optional(line),
  }),
  async prepare(input, context, signal) {
    const { workspace } = context;
    const range = toLineRange(input.start_line, input.end_line);
    const target = await resolveTarget(workspace, input.path);
    await requireFile(workspace, target, signal);
    return {
      action: { kind: 'read', tool: 'read', targets: [target] },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        return readFile(context, target.path, range, signal);
      },
    };
  },
});

type Place = Pick<ToolContext, 'workspace' | 'withoutSecrets' | 'seen' | 'keepImage'>;

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
  if (!decoded) return readImage(context, path, file.bytes, range);
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

async function readImage(
  { keepImage }: Place,
  path: string,
  bytes: Uint8Array,
  range: LineRange | undefined,
): Promise<ToolOutput> {
  const image = await keepImage?.(bytes, path);
  if (!image) throw binaryFile(path);
  if (range)
    throw new ToolError(`an image has no lines: ${path}; leave out start_line and end_line`, {
      code: 'invalid_input',
    });
  return { result: { image: image.name, mediaType: image.mediaType }, attachments: [image.name] };
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
    if (/\.(png|jpe?g|gif|webp)$/i.test(path))
      throw new ToolError(
        `the image is too large to be shown: ${path} has ${formatSize(size)}; make a smaller copy with bash and read that`,
        { code: 'unsupported' },
      );
    throw new ToolError(
      `file is too large to be read whole: ${path} has ${formatSize(size)}; give start_line and end_line`,
      { code: 'invalid_input' },
    );
  }
  const found = await asToolErrors(streamLines(path, workspace.stream(path, signal), range));
  const text = decodeText(found.lines)?.text;
  if (signal.aborted) throw new ToolError('stopped before the lines were found', { code: 'cancelled' });
  if (text === undefined) throw binaryFile(path);
  const [before = '', after = ''] = [found.before, found.after].map((bytes) => decodeText(bytes)?.text);
  const first = countLinesIn(before) + 1;
  const last = first + countLinesIn(text) - 1;
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
  const end = afterLines(text, start, range.last - range.first + 1).place;
  const from = Math.max(0, start - AROUND);
  const first = countLinesIn(text.slice(from, start)) + 1;
  const last = first + countLinesIn(text.slice(start, end)) - 1;
  const content = linesOf(withoutSecrets(text.slice(from, end + AROUND)), { first, last });
  return { content, isAll: start === 0 && end === text.length };
}

/** The index at which the first line begins. */
function placeOf(text: string, range: LineRange): number {
  const { place, count } = afterLines(text, 0, range.first - 1);
  if (place === text.length) requireStart(range, count);
  return place;
}
