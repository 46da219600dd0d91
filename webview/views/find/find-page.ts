import type { Panel } from '../../state/panel.ts';
import { bringIntoView } from '../scrolling/bring-into-view.ts';
import type { Reveal } from '../scrolling/reveal.ts';
import { drawnPart } from '../scrolling/row-chunks.ts';
import type { Follow } from '../scrolling/stick-to-end.ts';
import type { FindPage } from './create-find.ts';
import type { FoundMatches } from './found-matches.ts';
import { createHighlights } from './highlights.ts';
import { type DrawnPlace, locate, rangeAt } from './locate.ts';
import { openMatch } from './open-match.ts';

interface Surroundings {
  readonly panel: Panel;
  readonly follow: Follow;
  readonly reveal: Reveal;
  readonly scroller: HTMLElement;
}

/** Frames in which newly visible content may still move a match. */
const SETTLING = 4;

export function createFindPage({ panel, follow, reveal, scroller }: Surroundings): FindPage {
  const highlights = createHighlights();
  let place: DrawnPlace | undefined;
  let marked: RegExp | undefined;
  /** Finds the place of the current match again after its part was redrawn. */
  let findAgain: () => DrawnPlace | undefined = () => undefined;

  const range = () => {
    if (place?.elements.some((element) => !element.isConnected)) place = findAgain() ?? place;
    return place && marked && rangeAt(place, marked);
  };
  const settle = (frames: number) => {
    const current = range();
    if (place?.elements[0]) bringIntoView(current ?? place.elements[0], scroller);
    highlights.repaint();
    if (frames > 0) requestAnimationFrame(() => settle(frames - 1));
  };
  const arrive = (found: FoundMatches, index: number, pattern: RegExp) => {
    const match = found.matches[index];
    if (!match) return;
    openMatch(panel, match);
    let drawn: Element | null = null;
    const find = () => {
      const part = drawnPart(scroller, match.section, match.part);
      // Once per drawing, because content far from the viewport is emptied again.
      if (!part || part === drawn) return undefined;
      drawn = part;
      return locate(part, found.matches, index, pattern);
    };
    // Opened content has its text at the end of this turn.
    queueMicrotask(() => {
      place = find();
      findAgain = find;
      settle(SETTLING);
    });
  };

  return {
    reading: () => follow.reading() ?? { section: 0, part: '' },
    partsOf: (section) =>
      panel.store.view.sections[section]?.rows.flatMap(({ parts }) => parts.map(({ id }) => id)) ?? [],
    show(found, index, pattern) {
      place = undefined;
      marked = pattern;
      const match = found.matches[index];
      if (match) reveal.goTo(match.section, () => arrive(found, index, pattern));
    },
    mark(pattern) {
      marked = pattern;
      if (!pattern) place = undefined;
      highlights.stop();
      if (pattern) highlights.start(scroller, pattern, range);
    },
  };
}
