// What the model knows of a file, and the error for the model if the file has changed since.

import { commonPrefix, commonSuffix, splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { cutAtWord } from '../../base/text/truncate.ts';
import { ToolError, type ToolErrorCode } from '../../base/tool-error.ts';
import type { SeenFile, SeenFiles } from '../../log/seen-files.ts';
import type { Target } from '../../permission/action.ts';
import { ABSENT, type FileContent } from '../../ports/workspace.ts';
import { LineView } from '../../rendering/line-view.ts';
import type { ToolContext } from './tool.ts';

const MAX_TEXT = 256 * 1024;
const SHOWN_LINES = 10;
const SHOWN_WIDTH = 200;

/** `text` is that of the whole file, even if the model saw only a part. It is stored only for small files. */
export function seenFile(version: string, text: string, inPart: boolean, view: LineView): SeenFile {
  return { version, ...(text.length <= MAX_TEXT && { text }), ...(inPart && { inPart }), view };
}

/** The knowledge of a file that is not there. */
export const SEEN_ABSENT: SeenFile = { version: ABSENT, view: LineView.empty };

/**
 * A call is prepared before the gate decides on it, and its errors show lines of the file. Throws `ToolError`
 * for a file that the gate would not let the model read unasked, unless the model has read it.
 */
export function requireReadable(
  { seen, workspace }: Pick<ToolContext, 'seen' | 'workspace'>,
  { path, inWorkspace }: Target,
): void {
  if (!seen || seen.get(path) || (inWorkspace && workspace.trusted())) return;
  throw new ToolError(`you have not read ${path} in this session; nothing was applied. Read it first`, {
    code: 'conflict',
  });
}

/** A refusal that shows the model lines of the file, so that it can name them next time. */
export class RefusedEdit extends ToolError {
  constructor(
    message: string,
    code: ToolErrorCode,
    readonly seen: Readonly<Record<string, SeenFile>>,
  ) {
    super(message, { code });
  }
}

/** For files of which the model gets only a part of the result. */
export function seenInPart(files: Readonly<Record<string, SeenFile>>): Record<string, SeenFile> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, { ...file, inPart: true }]));
}

/** The model has seen all of the current file. */
export function isKnownWhole(seen: SeenFiles | undefined, path: string, { version }: FileContent): boolean {
  const known = seen?.get(path);
  return known?.version === version && !known.inPart;
}

/** Throws `ToolError` if the file changed after the model last saw it. A file that it never saw passes. */
export function requireCurrent(
  { seen, withoutSecrets }: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  path: string,
  current: FileContent,
  text: string | undefined,
): void {
  const known = seen?.get(path);
  if (!known || known.version === current.version) return;
  throw new ToolError(
    `file changed since you last saw it: ${path}; nothing was applied. Read it again, then repeat the change.\n` +
      describeDifference(
        known.text === undefined ? undefined : withoutSecrets(known.text),
        text === undefined ? undefined : withoutSecrets(text),
      ),
    { code: 'conflict' },
  );
}

function describeDifference(old: string | undefined, now: string | undefined): string {
  if (old === undefined || now === undefined) return 'What it said before is not known here.';
  const before = splitLines(old);
  const after = splitLines(now);
  const first = commonPrefix(before, after);
  const last = commonSuffix(before.slice(first), after.slice(first));
  return [
    `They differ from line ${first + 1}:`,
    ...shown('-', before.slice(first, before.length - last)),
    ...shown('+', after.slice(first, after.length - last)),
  ].join('\n');
}

function shown(sign: '-' | '+', lines: readonly string[]): string[] {
  const kept = lines
    .slice(0, SHOWN_LINES)
    .map((line) => `${sign} ${cutAtWord(withoutLineEnd(line), SHOWN_WIDTH)}`);
  const left = lines.length - kept.length;
  return left > 0 ? [...kept, `${sign} ... (${left} more lines)`] : kept;
}
