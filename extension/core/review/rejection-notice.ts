// Describes the rejected lines for the model and for the user.
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { firstNames } from '../base/text/truncate.ts';
import type { FileReview, PendingCell, Rejected } from './file-review.ts';
import { shownLine } from './text-content.ts';

/** Limits for all files together. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 6000;
const LONGEST_LINE = 300;

/** The notice for the user, with the text for the model. */
export function rejectionNotice(paths: readonly string[], toModel: string): EventDraft {
  const message = say(
    'Rejected in the review: {0}. The model sees this with its next request.',
    firstNames(paths),
  );
  return { type: 'notice', message, toModel };
}

/** Text for the model if the rejected lines are unknown. */
export function describeRejectedFiles(paths: readonly string[]): string {
  const toModel = `The user has reviewed your changes in these files and rejected them, in whole or in part: ${paths.join(', ')}.`;
  return withAdvice(toModel);
}

function withAdvice(rejected: string): string {
  const toModel = `${rejected} They are taken back in the files, so read those again before you edit them, and do not make the changes again unless you are asked to.`;
  return toModel;
}

export function describeRejection(rejected: readonly Rejected[]): string {
  const toModel = withAdvice(
    'The user has reviewed your changes and rejected these; line numbers are those before the rejection.',
  );
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

function wholeOf({ base, now, cells, from }: FileReview, ids: Rejected['ids']): string {
  if (ids) return ':';
  if (from !== undefined) return `: you had moved it here from ${from}; it is there again, as it was.`;
  if (base.state.kind === 'absent') return ': you had created it; it is deleted.';
  if (now.state.kind === 'absent') return ': you had deleted it; it is back.';
  if (base.state.kind === 'directory') return ': it is a directory again.';
  return cells ? ': all that you had changed in it.' : ': what you had made of it; it is again what it was.';
}

function lineOf({ sign, line, index }: PendingCell, nowLine: number): string {
  const text = shownLine(line.text).slice(0, LONGEST_LINE);
  return sign === '+'
    ? `line ${index + 1}, added by you, is removed: ${text}`
    : `removed by you before line ${nowLine + 1}, is back: ${text}`;
}
