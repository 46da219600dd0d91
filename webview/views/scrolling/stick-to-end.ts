// Keeps the newest content in sight, as long as the reader is there, and never moves what a reader reads.
import { type Accessor, createSignal, onCleanup } from 'solid-js';
import { placeAt, revealPlace } from '../../markdown/reading-place.ts';
import type { Reading } from '../../state/persist.ts';
import { drawnPart } from './row-chunks.ts';

/** What wants to know about the reader. */
interface Reader {
  /** Something else may be in sight. */
  onMove(): void;
  /** Where she came to rest: null is the end. */
  onRest(reading: Reading | null): void;
}

export interface Follow {
  /** `content` grows inside of `scroller`. */
  attach(scroller: HTMLElement, content: HTMLElement, reader: Reader): void;
  /** Something was added that the reader may not see. */
  noteNew(): void;
  hasUnseen: Accessor<boolean>;
  isFollowing(): boolean;
  /** Goes to the end, and stays there. */
  resume(): void;
  /** The reader opens something: its surroundings stay where they are. */
  hold(): void;
  /** To where a reader was; what comes into sight on the way does not push her away. */
  goTo(reading: Reading): void;
  /** The part at the upper edge; null where there is none. */
  reading(): Reading | null;
  scrollPage(direction: 1 | -1): void;
}

/** Pixels from the end within which a reader who scrolls down has arrived. */
const NEAR = 24;
/** Frames in which what comes into sight may still push it away. */
const SETTLING = 4;
/** Milliseconds after which what has come into sight has certainly been laid out: only then it can be found. */
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
    // A layout that moves the content scrolls as well: that is not the reader, who would be left behind.
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
      // What is being drawn anew is as high as it was only when all of it is there, of which no observer tells.
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

/** Pixels below the upper edge in which the part that is being read is looked for, and the steps of that. */
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

/** The part at a point of the page; not a prompt that only stays in sight. */
function partAt(x: number, y: number): Element | undefined {
  const parts = document.elementsFromPoint(x, y).map((element) => element.closest('[data-part-id]'));
  return parts.find((part) => part !== null && part.closest('.sticky') === null) ?? undefined;
}
