// An edit by text: replaces a text that is found once, or everywhere.
import { countLinesIn, lineStartAt, splitLines, usualLineEndIn } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { LineSplice } from '../../rendering/line-view.ts';
import { type KnownFile, refuseLines, splicesOf } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';
import { adaptReplacement } from './adapt-replacement.ts';
import { editEarlierText } from './edit-earlier-text.ts';
import { type EditedText, requireNear } from './edited-text.ts';
import { type Found, findText, type Matching, MOST_PLACES, type Place } from './find-text.ts';
import { nearestLine } from './nearest-line.ts';
import { asWholeLines, lineAt } from './whole-lines.ts';

export interface TextEdit {
  readonly wanted: string;
  readonly next: string;
  readonly all: boolean;
}

/** Line numbers that an error lists. */
const MOST_NUMBERS = 20;

const NOTES: Readonly<Record<Matching, string | undefined>> = {
  exact: undefined,
  spaces: 'old_string was found with other line ends or trailing white space',
  indentation: 'old_string was found with another indentation, which new_string got too',
  typography: 'old_string was found with other quotes, dashes or spaces',
};

/** Throws `ToolError` if the text is not found, or not once. */
export function editText(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  edit: TextEdit,
): EditedText {
  const { text } = file;
  const lineEnd = text.includes('\r\n') ? usualLineEndIn(text) : '\n';
  const earlier = editEarlierText(context, file, edit, lineEnd);
  if (earlier) return earlier;
  const { places, matching, wanted, next, isNumbered } = locate(context, file, edit, lineEnd);
  const parts = places.map((place) => replacement(text, place, { matching, wanted, next, lineEnd }));
  const after = spliced(text, places, parts);
  if (after === text)
    throw new ToolError(`the edit changes nothing: ${file.path} is already so`, { code: 'invalid_input' });
  const splices = lineSplices(text, after, places, parts);
  return {
    text: after,
    linesChanged: splices.reduce((sum, { start, end, added }) => sum + Math.max(end - start, added), 0),
    newLineCount: countLinesIn(after),
    splices,
    note: isNumbered ? 'the copied line numbers were taken off' : NOTES[matching],
  };
}

interface Located extends Found {
  readonly wanted: string;
  readonly next: string;
  readonly isNumbered: boolean;
}

function locate(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  { wanted, next, all }: TextEdit,
  lineEnd: string,
): Located {
  const plain = withoutNumbers(wanted);
  const exact = findWithEnds(file.text, wanted, lineEnd, all);
  const given = exact && asWholeLines(context, file, exact, { wanted, next });
  const found = given ?? (plain === undefined ? undefined : findWithEnds(file.text, plain, lineEnd, all));
  if (!found) return notFound(context, file, plain ?? wanted);
  if (found.places.length > 1 && !all) return ambiguous(context, file, found.places);
  if (found.places.length === MOST_PLACES) throw tooMany(file.path);
  requireNear(file.path, countLinesIn(file.text.slice(found.places[0]?.start, found.places.at(-1)?.end)));
  requireSeen(context, file, found, { isNumbered: !given, all });
  if (given || plain === undefined) return { ...found, wanted, next, isNumbered: false };
  return {
    ...found,
    wanted: plain,
    next: withoutNumbers(next) ?? someWithoutNumbers(next),
    isNumbered: true,
  };
}

/**
 * An exact text proves that the model knows its lines. For any other, and for many places at once, it must
 * have read them.
 */
function requireSeen(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  { matching, places }: Found,
  { isNumbered, all }: { readonly isNumbered: boolean; readonly all: boolean },
): void {
  if (!context.seen) return;
  const isKnown = context.seen.get(file.path) !== undefined;
  if (matching === 'exact' && !isNumbered && (isKnown || !all)) return;
  const lines = places.map(({ start, end }) => ({
    first: lineAt(file.text, start),
    last: lineAt(file.text, Math.max(start, end - 1)),
  }));
  const unread = lines.filter((range) => !file.view.hasRead(range));
  if (unread.length === 0) return;
  const how = all ? 'replace_all' : 'old_string, which is not exact,';
  refuseLines(context, file, unread, `${how} means lines of ${file.path} that you have not seen`);
}

/**
 * The model does not see carriage returns, so a text with other line ends is exact too. A line feed at its
 * start must not be the half of a line end.
 */
function findWithEnds(text: string, wanted: string, lineEnd: string, all: boolean): Found | undefined {
  const same = wanted.replace(/\r?\n/g, lineEnd);
  const isSame = same === wanted || wanted.startsWith('\n') || text.includes(same);
  return findText(text, isSame ? same : wanted, all);
}

const NUMBERED = /^\s*\d+(?:→|\t)/;

/** The text without the line numbers of a `read`; undefined unless every line has one. */
function withoutNumbers(text: string): string | undefined {
  const lines = splitLines(text);
  return lines.length > 0 && lines.every((line) => NUMBERED.test(line))
    ? someWithoutNumbers(text)
    : undefined;
}

function someWithoutNumbers(text: string): string {
  return splitLines(text)
    .map((line) => line.replace(NUMBERED, ''))
    .join('');
}

interface Way {
  readonly matching: Matching;
  readonly wanted: string;
  readonly next: string;
  readonly lineEnd: string;
}

function replacement(text: string, { start, end }: Place, { matching, wanted, next, lineEnd }: Way): string {
  if (matching === 'exact') return lineEnd === '\n' ? next : next.replace(/\r?\n/g, lineEnd);
  return adaptReplacement({ found: text.slice(start, end), wanted, next, lineEnd, file: text });
}

function spliced(text: string, places: readonly Place[], parts: readonly string[]): string {
  let after = '';
  let at = 0;
  for (const [index, { start, end }] of places.entries()) {
    after += text.slice(at, start) + (parts[index] ?? '');
    at = end;
  }
  return after + text.slice(at);
}

/** For a single place, compares its lines alone, because the rest cannot have changed. */
function lineSplices(
  text: string,
  after: string,
  places: readonly Place[],
  parts: readonly string[],
): readonly LineSplice[] {
  const [place, ...others] = places;
  if (!place || others.length > 0) return splicesOf(text, after);
  const first = lineStartAt(text, place.start);
  const feed = text.indexOf('\n', Math.max(place.end - 1, first));
  const end = feed < 0 ? text.length : Math.max(feed + 1, place.end);
  const now = text.slice(first, place.start) + (parts[0] ?? '') + text.slice(place.end, end);
  const before = countLinesIn(text.slice(0, first));
  return splicesOf(text.slice(first, end), now).map((splice) => ({
    ...splice,
    start: splice.start + before,
    end: splice.end + before,
  }));
}

function tooMany(path: string): ToolError {
  return new ToolError(
    `old_string is found ${MOST_PLACES} times or more in ${path}; nothing was applied. Change it with bash, for instance with sed -i`,
    { code: 'unsupported' },
  );
}

function ambiguous(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  places: readonly Place[],
): never {
  const numbers = places.slice(0, MOST_NUMBERS).map(({ start }) => lineAt(file.text, start));
  const more = places.length > MOST_NUMBERS ? ', …' : '';
  refuseLines(
    context,
    file,
    [],
    `old_string is found ${places.length} times in ${file.path}, at lines ${numbers.join(', ')}${more}. Give more of the lines around it, or set replace_all`,
  );
}

function notFound(
  context: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  file: KnownFile,
  wanted: string,
): never {
  const nearest = nearestLine(file.text, wanted);
  const range = nearest && { first: nearest, last: nearest + Math.min(splitLines(wanted).length, 20) - 1 };
  const where = nearest ? '; the nearest lines are below' : '';
  refuseLines(
    context,
    file,
    range ? [range] : [],
    `old_string is not found in ${file.path}${where}`,
    'not_found',
  );
}
