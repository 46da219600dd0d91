// Finds the place in the page of a match in the log.
import type { FindMatch } from '../../../extension/protocol/find-messages.ts';
import { strings } from '../../l10n/strings.ts';
import { revealOffset } from '../../markdown/block-view.ts';
import { rangesIn } from './drawn-text.ts';
import { isSameText, placeInText } from './found-matches.ts';

/** The place of a match: its ordinal number in these elements, which may be emptied and redrawn. */
export interface DrawnPlace {
  readonly elements: readonly Element[];
  readonly ordinal: number;
}

/** The most earlier matches in the same text that are checked, to count those in the same piece. */
const MOST_BEFORE = 500;

/** Draws the piece of `part` that contains the match at `index`. `part` is the element of an open part. */
export function locate(
  part: Element,
  matches: readonly FindMatch[],
  index: number,
  pattern: RegExp,
): DrawnPlace {
  const match = matches[index];
  const blocks = part.querySelector<HTMLElement>('.blocks');
  if (match?.field === 'text' && blocks) return inBlocks(blocks, matches, index);
  const ordinal = placeInText(matches, index);
  if (match?.field === 'text') return { elements: [part], ordinal };
  if (match?.field === 'name' || match?.field === 'outcome')
    return { elements: [...part.querySelectorAll(onLine[match.field])], ordinal };
  return {
    elements: match?.field === 'result' ? resultsOf(part) : inputsOf(part, pattern, ordinal),
    ordinal,
  };
}

/** The page contains a long text in pieces, so this counts the earlier matches in the same piece. */
function inBlocks(blocks: HTMLElement, matches: readonly FindMatch[], index: number): DrawnPlace {
  const piece = revealOffset(blocks, matches[index]?.offset ?? 0);
  let ordinal = 0;
  for (let before = index - 1; ordinal < MOST_BEFORE; before -= 1, ordinal += 1) {
    const match = matches[before];
    if (!match || !isSameText(matches[index], match)) break;
    if (!piece.contains(revealOffset(blocks, match.offset))) break;
  }
  return { elements: [piece], ordinal };
}

const onLine = { name: '.call > .name', outcome: '.outcome > .found' };
const boxes = '.details .scroll-text';
const isResult = (box: Element) => box.ariaLabel === strings.result;

function resultsOf(part: Element): Element[] {
  return [...part.querySelectorAll(boxes)].filter(isResult);
}

/** The opened card may repeat the words of its line. Otherwise the line belongs to the input. */
function inputsOf(part: Element, pattern: RegExp, ordinal: number): Element[] {
  const inputs = [...part.querySelectorAll(boxes)].filter((box) => !isResult(box));
  if (inputs.flatMap((input) => rangesIn(input, pattern)).length > ordinal) return inputs;
  return [...part.querySelectorAll('.line .subject'), ...inputs];
}

/**
 * The range of the place if it is drawn. If fewer matches are drawn than were found, the nearest one before
 * it.
 */
export function rangeAt({ elements, ordinal }: DrawnPlace, pattern: RegExp): StaticRange | undefined {
  const ranges = elements.flatMap((element) => rangesIn(element, pattern));
  return ranges[Math.min(ordinal, ranges.length - 1)];
}
