import type { LineSplice } from '../../rendering/line-view.ts';

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
