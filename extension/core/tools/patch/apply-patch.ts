import * as z from 'zod/mini';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile } from '../../log/seen-files.ts';
import { ABSENT } from '../../ports/workspace.ts';
import { LineView } from '../../rendering/line-view.ts';
import { SEEN_ABSENT, seenFile } from '../common/seen-file.ts';
import { defineTool } from '../common/tool.ts';
import { parsePatch } from './parse-patch.ts';
import { planPatch } from './plan-patch.ts';
import { type PlannedFile, versionAfter } from './planned-file.ts';
import { letterOf, prepareFiles, withoutMoved } from './prepare-files.ts';

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
    const files = await planPatch(parsePatch(input), context);
    if (files.length === 0)
      throw new ToolError('No files were modified: they are already as the patch has them.', {
        code: 'invalid_input',
      });
    const left = withoutMoved(files);
    return prepareFiles(context, {
      tool: 'apply_patch',
      files,
      result: { content: summaryOf(left) },
      seen: Object.fromEntries(files.map(toSeen)),
    });
  },
});

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
