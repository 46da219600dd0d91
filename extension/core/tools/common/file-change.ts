// Shared by `write` and `edit`: the current file, and the call that replaces its content.

import { versionOf } from '../../base/content-hash.ts';
import { type Comparison, compareTexts, countLines } from '../../base/diff/diff-texts.ts';
import { decodeText, READ_LIMIT, type TextFile } from '../../base/text/encoding.ts';
import { formatSize } from '../../base/text/format-size.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { Action, Target } from '../../permission/action.ts';
import type { Preview } from '../../ports/approver.ts';
import { ABSENT, type FileContent, type Workspace } from '../../ports/workspace.ts';
import type { LineView } from '../../rendering/line-view.ts';
import { statRegularFile } from './existing-file.ts';
import { redactedDiff } from './redacted-diff.ts';
import { requireNoSecretPlaceholder } from './require-no-placeholder.ts';
import { confirmPath } from './resolve-path.ts';
import { seenFile } from './seen-file.ts';
import type { PreparedCall, ToolContext } from './tool.ts';
import { asToolErrors } from './workspace-failure.ts';

/** Characters; a larger text has no preview for the approval. */
const MAX_PREVIEW = 1024 * 1024;

export const FORMATTED =
  'the editor changed the file when it saved it (format on save), so lines may differ from yours';

export interface FileBeforeChange {
  readonly content: FileContent;
  /** Undefined if the file is binary. */
  readonly decoded: TextFile | undefined;
}

interface FileChange {
  readonly tool: 'write' | 'edit';
  readonly target: Target;
  /** Undefined for a new file. */
  readonly before: FileBeforeChange | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The model knows all of the new text. */
  readonly isKnown: boolean;
  /** The lines that the model knows after the change. */
  readonly view: LineView;
  /** What the model reads after the change. */
  readonly result: Readonly<Record<string, unknown>>;
}

/**
 * Undefined if there is no file. Rejects with `ToolError` for anything but a regular file, and above
 * `READ_LIMIT`, because a change is shown, hashed and undone as a whole. `instead` tells the model what to do
 * then.
 */
export async function currentFile(
  workspace: Workspace,
  path: string,
  instead: string,
): Promise<FileBeforeChange | undefined> {
  const stat = await statRegularFile(workspace, path);
  if (!stat) return undefined;
  if (stat.size > READ_LIMIT) {
    const size = `${path} has ${formatSize(stat.size)}, and ${formatSize(READ_LIMIT)} is the limit`;
    throw new ToolError(`file is too large to be changed by this tool: ${size}; ${instead}`, {
      code: 'unsupported',
    });
  }
  const content = await asToolErrors(workspace.read(path, READ_LIMIT));
  return { content, decoded: decodeText(content.bytes) };
}

export function prepareChange(context: ToolContext, change: FileChange): PreparedCall {
  const { workspace, withoutSecrets } = context;
  // A binary file has no lines to show.
  const old = change.before ? change.before.decoded?.text : '';
  requireNoSecretPlaceholder(old ?? '', change.text, change.target.path);
  const comparison = compareTexts(old ?? '', change.text);
  const diff = old === undefined ? undefined : redactedDiff(old, change.text, comparison, withoutSecrets);
  const action = toAction(change, comparison);
  return {
    action,
    previews: toPreviews(change.target.path, change.before, change.text),
    touches: [change.target.path],
    execute: async (signal) => {
      const { path } = change.target;
      await confirmPath(workspace, path);
      if (signal.aborted) throw new ToolError('stopped; nothing was written', { code: 'cancelled' });
      const { before: expect, after } = action;
      const write = { kind: 'write', path, bytes: change.bytes, expect, version: after } as const;
      const version = await asToolErrors(workspace.apply(write));
      const result = version === after ? change.result : { ...change.result, note: FORMATTED };
      // If the editor formatted the file, the model does not know its content. The old version then makes its
      // next edit fail.
      const seen = { [path]: seenFile(action.after, change.text, !change.isKnown, change.view) };
      return { result, seen, diff };
    },
  };
}

function toAction(
  { tool, target, before, bytes }: FileChange,
  comparison: Comparison,
): Extract<Action, { kind: 'write' }> {
  return {
    kind: 'write',
    tool,
    targets: [target],
    before: before?.content.version ?? ABSENT,
    after: versionOf(bytes),
    unsaved: before?.content.unsaved ?? false,
    added: countLines(comparison, '+'),
    removed: countLines(comparison, '-'),
  };
}

/** None for a binary file or for large texts. */
export function toPreviews(
  path: string,
  before: FileBeforeChange | undefined,
  after: string | null,
): readonly Preview[] {
  const old = before ? before.decoded?.text : null;
  if (old === undefined || Math.max(old?.length ?? 0, after?.length ?? 0) > MAX_PREVIEW) return [];
  return [{ path, before: old, after }];
}
