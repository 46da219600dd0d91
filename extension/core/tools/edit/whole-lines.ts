// Whether a model that gave a part of a line meant whole lines.
import { countLinesIn, lineStartAt, splitLines } from '../../base/text/lines.ts';
import { type KnownFile, refuseLines } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';
import { type Found, findLines, leadingSpace, type Place, widthOf } from './find-text.ts';

type Context = Pick<ToolContext, 'seen' | 'withoutSecrets'>;

/**
 * A text without all the white space of its first and last line is found within these lines. If nothing, or
 * several lines, come in their place, the model meant whole lines. Where nobody can tell, throws a refusal.
 */
export function asWholeLines(
  context: Context,
  file: KnownFile,
  found: Found,
  { wanted, next }: { readonly wanted: string; readonly next: string },
): Found {
  const [place, ...others] = found.places;
  if (found.matching !== 'exact' || !place || others.length > 0) return found;
  if (joinsLines(file.text, place, next))
    return findLines(file.text, wanted) ?? refuseJoin(context, file, place);
  const { before, after } = lineAround(file.text, place);
  if (before.trim() !== '' || after.trim() !== '' || before + after === '') return found;
  const isDeleted = next === '' && wanted.endsWith('\n');
  const [firstNext = '', ...otherNext] = splitLines(next);
  const further = otherNext.filter((line) => line.trim() !== '');
  const loose = findLines(file.text, wanted);
  if (loose && (isDeleted || /^\r?\n/.test(wanted))) return loose;
  const [firstWanted = '', ...otherWanted] = splitLines(wanted);
  const isFirstKept = firstNext === firstWanted;
  const isFirstGone = isDeleted || (!isFirstKept && otherWanted.includes(firstNext));
  if (before !== '' && isFirstGone)
    return loose ?? { ...found, places: [{ ...place, start: place.start - before.length }] };
  const isFirstLater = before !== '' && !isFirstKept && otherNext.includes(firstWanted);
  if (otherWanted.length > 0 && isFirstLater) return loose ?? refuseShallow(context, file, place);
  if (further.length === 0 || otherWanted.length > 0) return found;
  const isShifted = leadingSpace(wanted) !== '' || leadingSpace(next) !== '';
  if (loose && (before === '' || isShifted)) return loose;
  const own = widthOf(before + leadingSpace(wanted));
  if (further.every((line) => widthOf(leadingSpace(line)) >= own)) return found;
  return refuseShallow(context, file, place);
}

/**
 * The place begins with the end of a line, to which the new text would join another line. A model rather means
 * an empty line, which the file does not have.
 */
function joinsLines(text: string, { start, end }: Place, next: string): boolean {
  const isAfterText = start > 0 && text[start - 1] !== '\n';
  const beginsWithEnd = /^\r?\n/.test(text.slice(start, start + 2));
  return isAfterText && beginsWithEnd && !/^(?:\r?\n|$)/.test(next + text.slice(end, end + 2));
}

function refuseJoin(context: Context, file: KnownFile, place: Place): never {
  const line = lineAt(file.text, place.start - 1);
  refuseLines(
    context,
    file,
    [{ first: line, last: line + 1 }],
    `old_string begins with a line end, so new_string would be joined to line ${line} of ${file.path}. Give that line too`,
  );
}

function refuseShallow(context: Context, file: KnownFile, place: Place): never {
  const line = lineAt(file.text, place.start);
  refuseLines(
    context,
    file,
    [{ first: line, last: line }],
    `the lines of new_string have less indentation than line ${line} of ${file.path}, so where they belong is unclear. Give whole lines with their indentation`,
  );
}

/** The rest of the place's line, before and after it. */
function lineAround(text: string, { start, end }: Place): { before: string; after: string } {
  const feed = text[end - 1] === '\n' ? end : text.indexOf('\n', end);
  return {
    before: text.slice(lineStartAt(text, start), start),
    after: text.slice(end, feed < 0 ? text.length : feed).replace(/\r$/, ''),
  };
}

export function lineAt(text: string, index: number): number {
  return countLinesIn(text.slice(0, index + 1));
}
