// What the model knows of a file, and what to tell it when the file is another one by now.

import { commonPrefix, commonSuffix, splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { cutAtWord } from '../../base/text/truncate.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile, SeenFiles } from '../../log/seen-files.ts';
import type { FileContent } from '../../ports/workspace.ts';
import type { ToolContext } from './tool.ts';

const MAX_TEXT = 256 * 1024;
const SHOWN_LINES = 10;
const SHOWN_WIDTH = 200;

/** `text` is the whole file's, also where the model was shown a part; it is kept for small files only. */
export function seenFile(version: string, text: string, inPart: boolean): SeenFile {
  return { version, ...(text.length <= MAX_TEXT && { text }), ...(inPart && { inPart }) };
}

/** The files of a result that the model is shown only a part of. */
export function seenInPart(files: Readonly<Record<string, SeenFile>>): Record<string, SeenFile> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, { ...file, inPart: true }]));
}

/** The model was shown all of the file as it is now. */
export function isKnownWhole(seen: SeenFiles, path: string, { version }: FileContent): boolean {
  const known = seen.get(path);
  return known?.version === version && !known.inPart;
}

/** Throws `ToolError` where the file changed since the model last saw it; a file it never saw passes. */
export function requireCurrent(
  { seen, withoutSecrets }: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  path: string,
  current: FileContent,
  text: string | undefined,
): void {
  const known = seen.get(path);
  if (!known || known.version === current.version) return;
  throw new ToolError(
    `file changed since you last saw it: ${path}; nothing was applied. Read it again, then repeat the change.\n` +
      describeDifference(
        known.text === undefined ? undefined : withoutSecrets(known.text),
        text === undefined ? undefined : withoutSecrets(text),
      ),
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
