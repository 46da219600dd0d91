// Keyboard control of the parts: steps from one to the next, and copies the focused one.

import { strings } from '../../l10n/strings.ts';
import type { Panel } from '../../state/panel.ts';
import { bringIntoView } from '../scrolling/bring-into-view.ts';
import type { Reveal } from '../scrolling/reveal.ts';
import { drawBeside, drawnPart } from '../scrolling/row-chunks.ts';
import type { Follow } from '../scrolling/stick-to-end.ts';

interface Surroundings {
  readonly panel: Panel;
  readonly follow: Follow;
  readonly reveal: Reveal;
  readonly scroller: HTMLElement;
}

export interface PartFocus {
  step(direction: -1 | 1): void;
  /** Returns false if no part has the focus, or text is selected. */
  copy(): boolean;
}

const PARTS = '.sections [data-part-id]';
/** Characters of a part that become its accessible name. */
const LONGEST_NAME = 300;
/** CSS px by which a section that begins at the upper edge may be off. */
const NEAR = 4;

export function createPartFocus({ panel, follow, reveal, scroller }: Surroundings): PartFocus {
  /** The part that last had the focus. It may not be in the page. */
  let last: { section: number; part: string } | undefined;

  const focus = (element: HTMLElement | undefined) => {
    const place = element && placeOf(element);
    if (!element || !place) return;
    last = place;
    follow.hold();
    nameWhileFocused(element);
    element.focus({ preventScroll: true });
    showStart(element, scroller);
  };
  const goToSection = (section: number, direction: -1 | 1) => {
    if (section < 0 || section >= panel.store.view.lines.length) return;
    reveal.goTo(section, () => {
      const parts = partsIn(scroller).filter((part) => placeOf(part)?.section === section);
      if (parts.length > 0) focus(parts.at(direction > 0 ? 0 : -1));
      else goToSection(section + direction, direction);
    });
  };
  return {
    step(direction) {
      const active = document.activeElement?.closest('[data-part-id]');
      const from = (active && placeOf(active)) ?? last;
      const current = from && drawnPart(scroller, from.section, from.part);
      if (current) drawBeside(scroller, current, direction);
      const parts = partsIn(scroller);
      const index = parts.findIndex((part) => isAt(part, from));
      if (index < 0) return focus(parts.find((part) => isInSight(part, scroller)) ?? parts.at(-1));
      const next = parts[index + direction];
      const section = from?.section ?? 0;
      const isNear = next && Math.abs((placeOf(next)?.section ?? 0) - section) <= 1;
      if (isNear) focus(next);
      else goToSection(section + direction, direction);
    },
    copy() {
      const place = document.activeElement?.matches(PARTS) && placeOf(document.activeElement);
      if (!place || getSelection()?.isCollapsed === false) return false;
      panel.send({ type: 'part/copy', ...place });
      panel.announce({ text: strings.copied, urgent: false });
      return true;
    },
  };
}

/** The parts that are not folded away. */
function partsIn(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(PARTS)].filter((part) => !part.closest('[hidden]'));
}

function isInSight(part: HTMLElement, scroller: HTMLElement): boolean {
  const { top } = scroller.getBoundingClientRect();
  // A sticky prompt belongs to the content above.
  const section = part.closest('.sticky') && part.closest('[data-section]');
  return section
    ? section.getBoundingClientRect().top >= top - NEAR
    : part.getBoundingClientRect().bottom > top;
}

/** The section and the id of a drawn part. */
export function placeOf(part: Element): { section: number; part: string } | undefined {
  const section = part.closest<HTMLElement>('[data-section]')?.dataset.section;
  const id = part.getAttribute('data-part-id');
  return section === undefined || id === null ? undefined : { section: Number(section), part: id };
}

function isAt(element: Element, place: { section: number; part: string } | undefined): boolean {
  const own = placeOf(element);
  return own?.section === place?.section && own?.part === place?.part;
}

/** Only the focused part has a name, because names would have to be updated while parts grow. */
function nameWhileFocused(part: HTMLElement): void {
  const kind = part.dataset.part ?? '';
  const kinds: Readonly<Record<string, string>> = strings.partNames;
  part.tabIndex = -1;
  part.setAttribute('role', 'article');
  part.ariaLabel = `${kinds[kind] ?? kind}: ${part.textContent.slice(0, LONGEST_NAME)}`;
  part.addEventListener(
    'blur',
    () => {
      for (const name of ['tabindex', 'role', 'aria-label']) part.removeAttribute(name);
    },
    { once: true },
  );
}

/** Scrolls so that the whole part, or at least its beginning, is visible. */
function showStart(part: HTMLElement, scroller: HTMLElement): void {
  const { top, height } = part.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  if (height < view.height / 2) bringIntoView(part, scroller);
  else if (top < view.top || top > view.top + view.height / 2)
    scroller.scrollTop += top - view.top - view.height / 8;
}
