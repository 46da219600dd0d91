import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Action } from '../permission/action.ts';
import { ABSENT, type Workspace } from '../ports/workspace.ts';
import { FORMATTED, toPreviews } from './file-change.ts';
import { PATCH_GRAMMAR } from './patch/grammar.ts';
import { parsePatch } from './patch/parse-patch.ts';
import { diffFiles, letterOf, type PatchDiff } from './patch/patch-diff.ts';
import { applyFiles } from './patch/patch-steps.ts';
import { planPatch } from './patch/plan-patch.ts';
import { type PlannedFile, versionAfter, versionBefore } from './patch/planned-file.ts';
import { confirmPath } from './resolve-path.ts';
import { seenFile } from './seen-file.ts';
import { defineTool, type PreparedCall, type SeenFile, ToolError } from './tool.ts';

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Changes, adds, deletes and moves files of the workspace by one patch, which is applied as a whole or not at all. ' +
    'Paths are relative to the workspace folder. Lines of an update begin with a space (context), - or +; @@ before ' +
    'them names the class or function that they are in where the context alone does not tell.',
  onDemand: true,
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

/** A file that is moved is told of where it is then. */
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

/** The file itself, and the folder that a new one comes into. */
async function confirm(workspace: Workspace, path: string): Promise<void> {
  await confirmPath(workspace, dirname(path));
  await confirmPath(workspace, path);
}

function summaryOf(files: readonly PlannedFile[]): string {
  const lines = files.map((file) => `${letterOf(file)} ${file.target.given}`);
  const sorted = ['A', 'M', 'D'].flatMap((letter) => lines.filter((line) => line.startsWith(letter)));
  return ['Success. Updated the following files:', ...sorted, ''].join('\n');
}

/** Where it was formatted, the model does not know what the file says now, and its next edit is to be refused. */
function toSeen(file: PlannedFile): [path: string, seen: SeenFile] {
  const { target, after, isKnown } = file;
  const version = versionAfter(file);
  const seen = version === ABSENT ? { version } : seenFile(version, after?.text ?? '', !isKnown);
  return [target.path, seen];
}
