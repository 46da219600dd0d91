// Plans how a language server's rename changes the files, before any of them changes.
import { ToolError } from '../../base/tool-error.ts';
import type { ServerEdit, ServerRename, TextPosition } from '../../ports/language-servers.ts';
import { binaryFile } from '../common/existing-file.ts';
import { currentFile } from '../common/file-change.ts';
import { editedBytes } from '../common/overwrite.ts';
import { resolveTarget } from '../common/resolve-path.ts';
import { isKnownWhole } from '../common/seen-file.ts';
import type { ToolContext } from '../common/tool.ts';
import { isChanged, type PlannedFile } from '../patch/planned-file.ts';

type Place = Pick<ToolContext, 'workspace' | 'seen'>;

/** Rejects with `ToolError` if any part cannot be done. */
export async function planRename(
  { files, movesFiles }: ServerRename,
  place: Place,
): Promise<readonly PlannedFile[]> {
  if (movesFiles) {
    throw new ToolError(
      'not done: the language server would also create, move or delete files for this rename, which this tool does not ' +
        'do; nothing was applied. Change the files one by one',
      { code: 'unsupported' },
    );
  }
  const planned: PlannedFile[] = [];
  for (const { path, edits } of files) planned.push(await planFile(path, edits, place));
  const changed = planned.filter(isChanged);
  if (changed.length > 0) return changed;
  throw new ToolError('the language server changes nothing for this rename; nothing was applied', {
    code: 'invalid_input',
  });
}

async function planFile(path: string, edits: readonly ServerEdit[], place: Place): Promise<PlannedFile> {
  const target = await resolveTarget(place.workspace, path);
  if (!target.inWorkspace) {
    throw new ToolError(
      `not done: the rename would change a file outside of the workspace: ${path}; nothing was applied`,
      { code: 'unsupported' },
    );
  }
  const before = await currentFile(place.workspace, target.path, 'change it with bash');
  if (!before) throw changedMeanwhile(target.path);
  if (!before.decoded) throw binaryFile(target.path);
  const { text: old, encoding } = before.decoded;
  const text = withEdits(old, edits, target.path);
  const bytes = editedBytes({ text, encoding }, target.path);
  return {
    target,
    before,
    after: { bytes, text },
    isKnown: isKnownWhole(place.seen, target.path, before.content),
  };
}

/** Throws `ToolError` if the text is not the one that the server answered for. */
function withEdits(text: string, edits: readonly ServerEdit[], path: string): string {
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: TextPosition) =>
    (starts[line - 1] ?? Number.POSITIVE_INFINITY) + column - 1;
  const fromEnd = edits
    .map(({ start, end, ...edit }) => ({ ...edit, start: offsetOf(start), end: offsetOf(end) }))
    .toSorted((a, b) => b.start - a.start);
  let least = text.length;
  let result = text;
  for (const { start, end, old, text: next } of fromEnd) {
    if (end > least || text.slice(start, end) !== old) throw changedMeanwhile(path);
    result = result.slice(0, start) + next + result.slice(end);
    least = start;
  }
  return result;
}

/** Lines as editors count them: a carriage return alone ends one too. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
}

function changedMeanwhile(path: string): ToolError {
  return new ToolError(
    `file changed while the language server answered: ${path}; nothing was applied. Repeat the rename`,
    { code: 'conflict' },
  );
}
