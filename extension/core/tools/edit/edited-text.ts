import { ToolError } from '../../base/tool-error.ts';
import type { LineSplice } from '../../rendering/line-view.ts';
import { MOST_LINES } from './find-text.ts';

/** A file's text after an edit. */
export interface EditedText {
  readonly text: string;
  /** The greater of the removed and the added lines. */
  readonly linesChanged: number;
  readonly newLineCount: number;
  /** In the lines of the text before. */
  readonly splices: readonly LineSplice[];
  /** How the place was found, if it was not found exactly. */
  readonly note?: string | undefined;
}

/**
 * `lines`: those from the first change to the last one. All of them are compared, so they are limited. Throws
 * `ToolError`.
 */
export function requireNear(path: string, lines: number): void {
  if (lines <= MOST_LINES) return;
  throw new ToolError(
    `the changes reach over ${lines} lines of ${path}, and ${MOST_LINES} is the limit; nothing was applied. Make changes that are far apart in one call each, or use bash, for instance sed -i`,
    { code: 'unsupported' },
  );
}
