import * as z from 'zod/mini';
import { type Workspace, WorkspaceError } from '../ports/workspace.ts';
import { binaryFile, statExistingFile } from './existing-file.ts';
import { formatSize } from './format-size.ts';
import { type LineRange, linesOf, toLineRange } from './line-range.ts';
import { splitLines } from './lines.ts';
import { linesInPlace } from './lines-in-place.ts';
import { confirmPath, resolveTarget } from './resolve-path.ts';
import { seenFile } from './seen-file.ts';
import { streamLines } from './stream-lines.ts';
import { decodeText, READ_LIMIT } from './text-file.ts';
import { defineTool, type ToolContext, ToolError, type ToolOutput } from './tool.ts';
import { asToolErrors } from './workspace-failure.ts';

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
  async prepare(input, { workspace, withoutSecrets }) {
    const range = toLineRange(input.start_line, input.end_line);
    const target = await resolveTarget(workspace, input.path);
    await statExistingFile(workspace, target.path);
    return {
      action: { kind: 'read', tool: 'read', targets: [target] },
      execute: async (signal) => {
        await confirmPath(workspace, target.path);
        return readFile({ workspace, withoutSecrets }, target.path, range, signal);
      },
    };
  },
});

type Place = Pick<ToolContext, 'workspace' | 'withoutSecrets'>;

async function readFile(
  { workspace, withoutSecrets }: Place,
  path: string,
  range: LineRange | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const file = await asToolErrors(readUpToLimit(workspace, path));
  if (!file) return readLarge({ workspace, withoutSecrets }, path, range, signal);
  const text = decodeText(file.bytes)?.text;
  if (text === undefined) throw binaryFile(path);
  if (!range) return { result: { content: text }, seen: { [path]: seenFile(file.version, text, false) } };
  const { content, isAll } = linesInPlace(text, range, withoutSecrets);
  return { result: { content }, seen: { [path]: seenFile(file.version, text, !isAll) } };
}

async function readUpToLimit(workspace: Workspace, path: string) {
  try {
    return await workspace.read(path, READ_LIMIT);
  } catch (error) {
    if (WorkspaceError.is(error, 'too-large')) return undefined;
    throw error;
  }
}

/** The version of a file of which only a part was read is not known, so nothing is remembered of it. */
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
