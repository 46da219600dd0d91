import * as z from 'zod/mini';
import type { TextEncoding } from '../../base/text/encoding.ts';
import { splitLines } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import { LineView } from '../../rendering/line-view.ts';
import { binaryFile, requireParents } from '../common/existing-file.ts';
import { currentFile, type FileBeforeChange, prepareChange } from '../common/file-change.ts';
import { type KnownFile, lineViewOf } from '../common/line-knowledge.ts';
import { missingPath } from '../common/missing-path.ts';
import { editedBytes, encodeReplacement, noteWithEncoding } from '../common/overwrite.ts';
import { resolveTarget } from '../common/resolve-path.ts';
import { isKnownWhole, requireReadable } from '../common/seen-file.ts';
import { defineTool, type PreparedCall, type ToolContext } from '../common/tool.ts';
import { asToolErrors } from '../common/workspace-failure.ts';
import { editLines } from './edit-lines.ts';
import { describedOperation, type EditOperation, parseOperations } from './edit-operation.ts';
import { editText, type TextEdit } from './edit-text.ts';
import type { EditedText } from './edited-text.ts';

const shape = {
  path: z.string(),
  old_string: z.optional(
    z.string().check(z.describe('The text to replace, with enough around it to be unique')),
  ),
  new_string: z.optional(z.string()),
  replace_all: z.optional(z.boolean()),
};

export const edit = defineTool({
  name: 'edit',
  description:
    'Changes a part of a text file. Give old_string, copied exactly from the file without line numbers, ' +
    'and new_string: {"path":"a.ts","old_string":"let n = 1;","new_string":"let n = 2;"}. old_string must ' +
    'occur once, unless replace_all is true; an empty one creates a file. Or give operations by the line ' +
    'numbers that you saw last; Harness carries them over your own edits, so do not recount.',
  // `prepare` parses the operations, because it has the words for what is wrong with them.
  schema: z.strictObject({ ...shape, operations: z.optional(z.array(z.unknown())) }),
  describedSchema: z.strictObject({ ...shape, operations: z.optional(z.array(describedOperation)) }),
  async prepare(input, context, signal) {
    const { workspace } = context;
    const wanted = wantedIn(input);
    const target = await resolveTarget(workspace, input.path);
    const stat = await asToolErrors(workspace.stat(target.path));
    if (stat) requireReadable(context, target);
    const before = await currentFile(workspace, target.path, 'change it with bash, for instance with sed -i');
    if (before && !before.decoded) throw binaryFile(target.path);
    const text = before?.decoded?.text ?? '';
    if ('wanted' in wanted && wanted.wanted === '') {
      if (text === '') return prepareNew(context, { target, before, text: wanted.next });
      throw new ToolError(
        `old_string is empty, but ${target.path} is not: give the text to replace, or use write for the whole file`,
        { code: 'invalid_input' },
      );
    }
    if (!before?.decoded)
      throw await missingPath(workspace, target, `file not found: ${target.path}`, signal);
    return prepareEdit(context, { target, before, text }, wanted);
  },
});

interface Input {
  readonly old_string?: string | undefined;
  readonly new_string?: string | undefined;
  readonly replace_all?: boolean | undefined;
  readonly operations?: readonly unknown[] | undefined;
}

type Wanted = TextEdit | readonly EditOperation[];

/** Throws `ToolError` unless the input is one of the two forms. */
function wantedIn({
  old_string: wanted,
  new_string: next,
  replace_all: all = false,
  operations,
}: Input): Wanted {
  const isText = wanted !== undefined || next !== undefined;
  if (isText && operations) throw invalid('give old_string and new_string, or operations, not both');
  if (operations) return parseOperations(operations);
  if (!isText) throw invalid('give old_string and new_string, or operations');
  if (wanted === undefined) throw invalid('old_string: missing; give the text to replace');
  if (next === undefined) throw invalid('new_string: missing; give the text in its place, "" to delete it');
  if (wanted === next) throw invalid('old_string and new_string are the same, so nothing would change');
  return { wanted, next, all };
}

function invalid(reason: string): ToolError {
  return new ToolError(`invalid input for edit: ${reason}`, { code: 'invalid_input' });
}

type Change = Omit<Parameters<typeof prepareChange>[1], 'tool' | 'bytes' | 'isKnown' | 'view' | 'result'>;

async function prepareNew(context: ToolContext, change: Change): Promise<PreparedCall> {
  const { target, before, text } = change;
  if (!before) await requireParents(context.workspace, target.path);
  const lines = splitLines(text).length;
  const { bytes } = encodeReplacement(before, text);
  const result = { path: target.path, linesChanged: lines, newLineCount: lines };
  return prepareChange(context, {
    ...change,
    tool: 'edit',
    bytes,
    isKnown: true,
    view: LineView.whole(lines),
    result,
  });
}

function prepareEdit(
  context: ToolContext,
  { target, before, text }: Change & { readonly before: FileBeforeChange },
  wanted: Wanted,
): PreparedCall {
  const { path } = target;
  const { version } = before.content;
  const file: KnownFile = { path, version, text, view: lineViewOf(context.seen?.get(path), version, text) };
  const edited = 'wanted' in wanted ? editText(context, file, wanted) : editLines(context, file, wanted);
  const encoding = before.decoded?.encoding ?? 'utf-8';
  const bytes = editedBytes({ text: edited.text, encoding }, path);
  const isKnown = isKnownWhole(context.seen, path, before.content);
  const view = file.view.afterSplices(edited.splices);
  const change = { tool: 'edit', target, before, bytes, text: edited.text, isKnown, view } as const;
  return prepareChange(context, { ...change, result: resultOf(path, edited, encoding) });
}

function resultOf(path: string, { linesChanged, newLineCount, note }: EditedText, encoding: TextEncoding) {
  return { path, linesChanged, newLineCount, ...noteWithEncoding(encoding, note) };
}
