// Keeps the newest content visible while the reader is at the end, and never moves what the reader reads.
import { type Accessor, createSignal, onCleanup } from 'solid-js';
import { placeAt, revealPlace } from '../../markdown/reading-place.ts';
import type { Reading } from '../../state/persist.ts';
import { drawnPart } from './row-chunks.ts';

/** Receives the reader's moves. */
interface Reader {
  /** Called when the visible content may have changed. */
  onMove(): void;
  /** Called with the resting position; null is the end. */
  onRest(reading: Reading | null): void;
}

export interface Follow {
  /** `content` grows inside `scroller`. */
  attach(scroller: HTMLElement, content: HTMLElement, reader: Reader): void;
  /** Call after an addition that the reader may not see. */
  noteNew(): void;
  hasUnseen: Accessor<boolean>;
  isFollowing(): boolean;
  /** Goes to the end and follows it. */
  resume(): void;
  /** Call before the reader opens something. Its surroundings stay in place. */
  hold(): void;
  /** Goes to a reading position. Content that becomes visible meanwhile does not move it. */
  goTo(reading: Reading): void;
  /** The part at the upper edge; null if there is none. */
  reading(): Reading | null;
  scrollPage(direction: 1 | -1): void;
}

/** Pixels from the end within which a reader who scrolls down has reached it. */
const NEAR = 24;
/** Frames in which newly visible content may still move it. */
const SETTLING = 4;
/** Milliseconds after which newly visible content has been laid out; only then can it be found. */
const LAYOUT_DELAY = 100;

export function createFollow(): Follow {
  const [hasUnseen, setUnseen] = createSignal(false);
  let scroller: HTMLElement | undefined;
  let isFollowing = true;
  let lastTop = 0;
  let lastSizes = '';

  const follow = (following: boolean) => {
    isFollowing = following;
    if (!following) return;
    setUnseen(false);
    if (scroller) lastSizes = sizesOf(scroller);
  };
  const pin = (element: HTMLElement) => {
    element.scrollTop = element.scrollHeight;
    lastTop = element.scrollTop;
    lastSizes = sizesOf(element);
  };
  const onScroll = (element: HTMLElement) => {
    // A layout that moves the content also scrolls. The reader did not scroll, and must not be left behind.
    if (isFollowing && sizesOf(element) !== lastSizes) return pin(element);
    const distance = distanceToEnd(element);
    if (element.scrollTop < lastTop && distance > 1) follow(false);
    else if (distance < NEAR) follow(true);
    lastTop = element.scrollTop;
  };
  const onResize = (element: HTMLElement) => {
    if (isFollowing) pin(element);
    else if (distanceToEnd(element) <= 1) follow(true);
  };

  return {
    hasUnseen,
    isFollowing: () => isFollowing,
    attach(element, content, reader) {
      scroller = element;
      const onMove = () => {
        onScroll(element);
        reader.onMove();
      };
      element.addEventListener('scroll', onMove, { passive: true });
      element.addEventListener('scrollend', () => {
        setTimeout(() => reader.onRest(isFollowing ? null : readingIn(element)), LAYOUT_DELAY);
      });
      const observer = new ResizeObserver(() => {
        onResize(element);
        reader.onMove();
      });
      observer.observe(content);
      observer.observe(element);
      onCleanup(() => observer.disconnect());
    },
    noteNew() {
      if (!isFollowing) setUnseen(true);
    },
    resume() {
      follow(true);
      if (scroller) pin(scroller);
      // Redrawn content has its full height only when all of it is there, and no observer reports that.
      queueMicrotask(() => isFollowing && scroller && pin(scroller));
    },
    hold() {
      isFollowing = false;
    },
    goTo(reading) {
      isFollowing = false;
      const settle = (frames: number) => {
        if (isFollowing || !scroller) return;
        scrollTo(scroller, reading);
        if (frames > 0) requestAnimationFrame(() => settle(frames - 1));
      };
      settle(SETTLING);
    },
    reading: () => (scroller ? readingIn(scroller) : null),
    scrollPage(direction) {
      if (direction < 0) isFollowing = false;
      scroller?.scrollBy({ top: direction * scroller.clientHeight * 0.9 });
    },
  };
}

function scrollTo(scroller: HTMLElement, { section, part: id, offset, text }: Reading): void {
  const part = drawnPart(scroller, section, id);
  const blocks = part?.querySelector<HTMLElement>('.blocks');
  if (!part) return;
  const place = text && blocks ? revealPlace(blocks, text) : part;
  const above = place === part ? offset : (text?.offset ?? 0);
  scroller.scrollTop += place.getBoundingClientRect().top - scroller.getBoundingClientRect().top + above;
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

function sizesOf({ scrollHeight, clientHeight, clientWidth }: HTMLElement): string {
  return [scrollHeight, clientHeight, clientWidth].join();
}

/** Pixels below the upper edge in which the part being read is searched, and the step of the search. */
const READING_ZONE = 240;
const READING_STEP = 8;

function readingIn(scroller: HTMLElement): Reading | null {
  const { left, top, width } = scroller.getBoundingClientRect();
  for (let below = 1; below < READING_ZONE; below += READING_STEP) {
    const part = partAt(left + width / 2, top + below);
    const reading = part && readingOf(part, top);
    if (reading) return reading;
  }
  return null;
}

function readingOf(part: Element, top: number): Reading | undefined {
  const section = part.closest<HTMLElement>('[data-section]')?.dataset.section;
  const id = part.getAttribute('data-part-id');
  if (section === undefined || id === null) return undefined;
  const blocks = part.querySelector('.blocks');
  const text = blocks ? placeAt(blocks, top) : undefined;
  const offset = top - part.getBoundingClientRect().top;
  return { section: Number(section), part: id, offset, ...(text && { text }) };
}

/** The part at a point of the page, but not a sticky prompt. */
function partAt(x: number, y: number): Element | undefined {
  const parts = document.elementsFromPoint(x, y).map((element) => element.closest('[data-part-id]'));
  return parts.find((part) => part !== null && part.closest('.sticky') === null) ?? undefined;
}
