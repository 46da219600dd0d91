// Shared by `apply_patch` and `code`: the call that changes several files together.
import { dirname } from 'node:path';
import type { Diff } from '../../../protocol/events.ts';
import { compareTexts, countLines } from '../../base/diff/diff-texts.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { Action, SymbolRename } from '../../permission/action.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { FORMATTED, toPreviews } from '../common/file-change.ts';
import { redactedDiff } from '../common/redacted-diff.ts';
import { confirmPath } from '../common/resolve-path.ts';
import type { PreparedCall, ToolContext, ToolOutput } from '../common/tool.ts';
import { type PlannedFile, textBefore, versionAfter, versionBefore } from './planned-file.ts';
import { applyFiles } from './write-files.ts';

interface FilesChange extends Pick<ToolOutput, 'result' | 'seen'> {
  readonly tool: 'apply_patch' | 'code';
  readonly files: readonly PlannedFile[];
  /** What changes the files, if a language server renames a symbol in them. */
  readonly rename?: SymbolRename;
}

/** One approval, preview and undo for all files. They are changed all or not at all. */
export function prepareFiles(
  { workspace, withoutSecrets }: Pick<ToolContext, 'workspace' | 'withoutSecrets'>,
  change: FilesChange,
): PreparedCall {
  const { files, result, seen } = change;
  const left = withoutMoved(files);
  const diff = diffFiles(left, withoutSecrets);
  return {
    action: toAction(change, diff),
    previews: files.flatMap(({ target, before, after }) =>
      after && after.text === undefined ? [] : toPreviews(target.path, before, after?.text ?? null),
    ),
    touches: files.flatMap(({ target, from }) => [target.path, ...(from ? [from.target.path] : [])]),
    execute: async (signal) => {
      for (const { target } of files) await confirm(workspace, target.path);
      if (signal.aborted) throw new ToolError('stopped; nothing was applied', { code: 'cancelled' });
      const versions = await applyFiles(files, workspace);
      const isFormatted = left.some(
        (file) => versions.has(file.target.path) && versions.get(file.target.path) !== versionAfter(file),
      );
      return { result: { ...result, ...(isFormatted && { note: FORMATTED }) }, seen, diff: diff.diff };
    },
  };
}

/** Leaves out the old path of a moved file, because its entry at the new path covers it. */
export function withoutMoved(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const sources = new Set(files.map(({ from }) => from?.target.path));
  return files.filter(({ target, after }) => after || !sources.has(target.path));
}

function toAction({ tool, files, rename }: FilesChange, { added, removed }: PatchDiff): Action {
  return {
    kind: 'patch',
    tool,
    ...(rename && { rename }),
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

interface PatchDiff {
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
function diffFiles(files: readonly PlannedFile[], withoutSecrets: ToolContext['withoutSecrets']): PatchDiff {
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
