// What the model is told of lines that the user has rejected.
import type { FileReview, PendingCell } from './file-review.ts';
import { shownLine } from './text-lines.ts';

/** Of all files together. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 6000;
const LONGEST_LINE = 300;

/** A file of which something is rejected; all of it without `ids`. */
export interface Rejected {
  readonly review: FileReview;
  readonly ids?: ReadonlySet<string> | undefined;
  /** Directories above it that the session has made, the nearest one first: they go with the last file in them. */
  readonly made?: readonly string[] | undefined;
}

export function tellRejection(rejected: readonly Rejected[]): string {
  const toModel =
    'The user has reviewed your changes and rejected these. They are taken back in the files, so read those again before you edit them, and do not make the changes again unless you are asked to. Line numbers are those before the rejection.';
  const lines = rejected.flatMap(linesOf);
  const shown: string[] = [];
  let room = MAX_CHARACTERS;
  for (const line of lines) {
    room -= line.length;
    if (shown.length === MAX_LINES || room < 0) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  return [toModel, ...shown, ...(more > 0 ? [`(${more} more lines are not shown)`] : [])].join('\n');
}

function linesOf({ review, ids }: Rejected): string[] {
  const cells = review.hunks.flatMap(({ nowLine, cells }) =>
    cells.filter(({ line }) => ids?.has(line.id) ?? true).map((cell) => lineOf(cell, nowLine)),
  );
  return [`${review.path}${wholeOf(review, ids)}`, ...cells];
}

function wholeOf({ base, now, cells }: FileReview, ids: Rejected['ids']): string {
  if (ids) return ':';
  if (base.state.kind === 'absent') return ': you had created it; it is deleted.';
  if (now.state.kind === 'absent') return ': you had deleted it; it is back.';
  return cells ? ': all that you had changed in it.' : ': what you had made of it; it is again what it was.';
}

function lineOf({ sign, line, index }: PendingCell, nowLine: number): string {
  const text = shownLine(line.text).slice(0, LONGEST_LINE);
  return sign === '+'
    ? `line ${index + 1}, added by you, is removed: ${text}`
    : `removed by you before line ${nowLine + 1}, is back: ${text}`;
}
