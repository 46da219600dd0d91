import { decodeText, type TextFile } from './text-file.ts';

/** Lines of larger files are not told apart: that would hold the window up. Bytes. */
export const MAX_TEXT = 4_000_000;
/** The same of files with more lines: the work is by the line. */
const MAX_LINES = 250_000;

const LINE_FEED = 10;

/** Undefined for what is no text, and for one with too much in it to be cut into lines. */
export function linedText(bytes: Uint8Array): TextFile | undefined {
  return bytes.length > MAX_TEXT || hasManyLines(bytes) ? undefined : decodeText(bytes);
}

function hasManyLines(bytes: Uint8Array): boolean {
  let at = -1;
  for (let count = 0; count < MAX_LINES; count++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
    if (at < 0) return false;
  }
  return true;
}
