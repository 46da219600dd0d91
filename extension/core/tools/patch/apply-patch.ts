import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Diff } from '../../../protocol/events.ts';
import { compareTexts, countLines } from '../../base/diff/diff-texts.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile } from '../../log/seen-files.ts';
import type { Action } from '../../permission/action.ts';
import { ABSENT, type Workspace } from '../../ports/workspace.ts';
import { LineView } from '../../rendering/line-view.ts';
import { FORMATTED, toPreviews } from '../common/file-change.ts';
import { redactedDiff } from '../common/redacted-diff.ts';
import { confirmPath } from '../common/resolve-path.ts';
import { SEEN_ABSENT, seenFile } from '../common/seen-file.ts';
import { defineTool, type PreparedCall, type ToolContext } from '../common/tool.ts';
import { parsePatch } from './parse-patch.ts';
import { planPatch } from './plan-patch.ts';
import { type PlannedFile, textBefore, versionAfter, versionBefore } from './planned-file.ts';
import { applyFiles } from './write-files.ts';

/**
 * The syntax of patches for models that can follow a grammar (Lark, https://lark-parser.readthedocs.io). The
 * parser accepts a little more.
 */
export const PATCH_GRAMMAR = `start: begin file+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

file: added | deleted | updated
added: "*** Add File: " path LF ("+" text LF)+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? change?
moved: "*** Move to: " path LF

change: (place | line)+ last?
place: ("@@" | "@@ " text) LF
line: ("+" | "-" | " ") text LF
last: "*** End of File" LF

path: /(.+)/
text: /(.*)/

%import common.LF
`;

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Adds, changes, deletes and moves files of the workspace with one patch, which applies as a whole or ' +
    'not at all. Paths are relative to the workspace folder. Each line of an update begins with a space ' +
    '(context), - or +. A line @@ before them names the class or function around them if the context ' +
    'alone is not unique. Not for reading files or for running commands.',
  onDemand: true,
  replaces: ['edit', 'write'],
  freeform: { syntax: 'lark', definition: PATCH_GRAMMAR },
  schema: z.strictObject({
    input: z.string().check(z.describe('The whole patch, from *** Begin Patch to *** End Patch')),
  }),
  async prepare({ input }, context) {
    const { workspace, withoutSecrets } = context;
    const files = await planPatch(parsePatch(input), context);
    if (files.length === 0)
      throw new ToolError('No files were modified: they are already as the patch has them.');
    const left = withoutMoved(files);
    const diff = diffFiles(left, withoutSecrets);
    return {
      action: toAction(files, diff),
      previews: files.flatMap(({ target, before, after }) =>
        after && after.text === undefined ? [] : toPreviews(target.path, before, after?.text ?? null),
      ),
      touches: files.flatMap(({ target, from }) => [target.path, ...(from ? [from.target.path] : [])]),
      execute: async (signal) => {
        for (const { target } of files) await confirm(workspace, target.path);
        if (signal.aborted) throw new ToolError('stopped; nothing was applied');
        const versions = await applyFiles(files, workspace);
        const isFormatted = left.some(
          (file) => versions.has(file.target.path) && versions.get(file.target.path) !== versionAfter(file),
        );
        return {
          result: { content: summaryOf(left), ...(isFormatted && { note: FORMATTED }) },
          seen: Object.fromEntries(files.map(toSeen)),
          diff: diff.diff,
        };
      },
    } satisfies PreparedCall;
  },
});

/** Leaves out the old path of a moved file, because its entry at the new path covers it. */
function withoutMoved(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const sources = new Set(files.map(({ from }) => from?.target.path));
  return files.filter(({ target, after }) => after || !sources.has(target.path));
}

function toAction(files: readonly PlannedFile[], { added, removed }: PatchDiff): Action {
  return {
    kind: 'patch',
    tool: 'apply_patch',
    targets: files.map(({ target }) => target),
    files: files.map((file) => ({
      path: file.target.path,
      before: versionBefore(file),
      after: versionAfter(file),
      ...(file.from && { from: file.from.target.path }),
    })),
    added,
    removed,
    unsaved: files.some(({ before }) => before?.content.unsaved),
  };
}

/** Checks the file itself, and the folder of a new one. */
async function confirm(workspace: Workspace, path: string): Promise<void> {
  await confirmPath(workspace, dirname(path));
  await confirmPath(workspace, path);
}

function summaryOf(files: readonly PlannedFile[]): string {
  const lines = files.map((file) => `${letterOf(file)} ${file.target.given}`);
  const sorted = ['A', 'M', 'D'].flatMap((letter) => lines.filter((line) => line.startsWith(letter)));
  return ['Success. Updated the following files:', ...sorted, ''].join('\n');
}

/**
 * If the editor formatted the file, the model does not know its content. The old version then makes its next
 * edit fail.
 */
function toSeen(file: PlannedFile): [path: string, seen: SeenFile] {
  const { target, after, isKnown } = file;
  const version = versionAfter(file);
  if (version === ABSENT) return [target.path, SEEN_ABSENT];
  return [target.path, seenFile(version, after?.text ?? '', !isKnown, LineView.empty)];
}

export interface PatchDiff {
  readonly added: number;
  readonly removed: number;
  readonly diff: Diff | undefined;
}

/** Limit in characters for the diffs of all files together. */
const MAX_TEXT = 11_000;

/** `A`, `M` or `D`: added, changed or deleted. */
export function letterOf({ before, from, after }: PlannedFile): 'A' | 'M' | 'D' {
  if (!after) return 'D';
  return before || from ? 'M' : 'A';
}

/** If there are several files, a remark with the name precedes each diff. */
export function diffFiles(
  files: readonly PlannedFile[],
  withoutSecrets: ToolContext['withoutSecrets'],
): PatchDiff {
  const parts = files.map((file) => diffFile(file, withoutSecrets));
  const sum = (count: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  const isOne = files.length === 1;
  const texts: string[] = [];
  let left = MAX_TEXT;
  let moreLines = 0;
  for (const { name, diff } of parts) {
    const text = [...(isOne ? [] : [`\\ ${name}`]), ...(diff ? [diff.text] : [])].join('\n');
    left -= text.length;
    if (left >= 0 || texts.length === 0) texts.push(text);
    else moreLines += text.split('\n').length;
    moreLines += diff?.moreLines ?? 0;
  }
  const text = texts.filter(Boolean).join('\n');
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    diff: text === '' ? undefined : { text, ...(moreLines > 0 && { moreLines }) },
  };
}

function diffFile(file: PlannedFile, withoutSecrets: ToolContext['withoutSecrets']) {
  const { target, from, after } = file;
  const name = `${letterOf(file)} ${from ? `${from.target.given} → ${target.given}` : target.given}`;
  const before = textBefore(file);
  // A binary file has no lines to show.
  const now = before === undefined ? '' : (after?.text ?? '');
  const comparison = compareTexts(before ?? '', now);
  return {
    name,
    added: countLines(comparison, '+'),
    removed: countLines(comparison, '-'),
    diff: redactedDiff(before ?? '', now, comparison, withoutSecrets),
  };
}
