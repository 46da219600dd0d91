import * as z from 'zod/mini';
import { splitLines } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { binaryFile } from '../common/existing-file.ts';
import { currentFile, prepareChange } from '../common/file-change.ts';
import { editedBytes } from '../common/overwrite.ts';
import { resolveTarget } from '../common/resolve-path.ts';
import { isKnownWhole, requireCurrent } from '../common/seen-file.ts';
import { defineTool } from '../common/tool.ts';
import { applyOperations } from './apply-operations.ts';
import { editOperation, parseOperations } from './edit-operation.ts';

const path = z.string().check(z.describe('Path of the file, absolute or relative to the workspace folder'));

export const edit = defineTool({
  name: 'edit',
  description:
    'Changes lines of a text file: replaces, inserts and deletes them. All line numbers are those of the file as it is ' +
    'before this call, counted from 1, both ends included. Either all operations are applied or none; they must not ' +
    'overlap. Read the lines first: a file that changed since it was last read is not edited.',
  // `prepare` parses the operations, because it has the words for what is wrong with them.
  schema: z.strictObject({ path, operations: z.array(z.unknown()) }),
  describedSchema: z.strictObject({ path, operations: z.array(editOperation) }),
  async prepare(input, context) {
    const { workspace, seen } = context;
    const parsed = parseOperations(input.operations);
    const target = await resolveTarget(workspace, input.path);
    const before = await textFileAt(workspace, target.path);
    const old = before.decoded;
    requireCurrent(context, target.path, before.content, old.text);
    const { lines, linesChanged } = applyOperations(splitLines(old.text), parsed);
    const text = lines.join('');
    const bytes = editedBytes({ text, encoding: old.encoding }, target.path);
    const result = { path: target.path, linesChanged, newLineCount: lines.length };
    const isKnown = isKnownWhole(seen, target.path, before.content);
    return prepareChange(context, { tool: 'edit', target, before, bytes, text, isKnown, result });
  },
});

async function textFileAt(workspace: Workspace, path: string) {
  const file = await currentFile(workspace, path, 'change it with bash, for instance with sed -i');
  if (!file) throw new ToolError(`file not found: ${path}`);
  if (!file.decoded) throw binaryFile(path);
  return { content: file.content, decoded: file.decoded };
}
