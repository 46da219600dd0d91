// Which sections are drawn: those near the viewport. The height of the others stands above and below them as a space.
import { type Accessor, batch, createSignal, onCleanup } from 'solid-js';

export interface SectionWindow {
  /** Indexes of the drawn sections. */
  drawn: Accessor<number[]>;
  /** Heights of what is not drawn, in CSS pixels. */
  above: Accessor<number>;
  below: Accessor<number>;
  /** The height of a section, measured or guessed, in CSS pixels. */
  heightOf(index: number): number;
  /** Keeps measuring the element of a section, until it is gone. */
  measure(index: number, element: HTMLElement): void;
  /** `list` holds the sections and the space around them. */
  attach(scroller: HTMLElement, list: HTMLElement): void;
  /** Draws what is in sight, after a scroll or a new layout. */
  update(): void;
  /** Draws the end of the session. */
  showEnd(): void;
  /** Draws the surroundings of a section. */
  show(index: number): void;
  /** Another session: nothing is known of its heights. */
  reset(): void;
}

/** CSS pixels of an estimated line. */
const LINE = 20;
/** Viewports on each side that are drawn anew, that must be drawn, and beyond which something is taken away. */
const AHEAD = 1.5;
const LEAST = 0.75;
const MOST = 3;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** `lines`: the estimated lines of each section. */
export function createSectionWindow(lines: Accessor<readonly number[]>): SectionWindow {
  const heights = new Map<number, number>();
  const indexes = new WeakMap<Element, number>();
  const [range, setRange] = createSignal<Range>({ from: 0, to: 0 }, { equals: isSame });
  const [above, setAbove] = createSignal(0);
  const [below, setBelow] = createSignal(0);
  let scroller: HTMLElement | undefined;
  let list: HTMLElement | undefined;

  const heightOf = (index: number) => heights.get(index) ?? Math.max(1, lines()[index] ?? 0) * LINE;
  const sum = (from: number, to: number) => {
    let height = 0;
    for (let index = from; index < to; index += 1) height += heightOf(index);
    return height;
  };
  const draw = (next: Range) =>
    batch(() => {
      setRange(next);
      setAbove(sum(0, next.from));
      setBelow(sum(next.to, lines().length));
    });
  /** The sections that share a point with the pixels between `top` and `bottom` of the list. */
  const between = (top: number, bottom: number): Range => {
    let from = 0;
    let end = heightOf(0);
    while (from < lines().length - 1 && end < top) end += heightOf(++from);
    let to = from + 1;
    while (to < lines().length && end < bottom) end += heightOf(to++);
    return { from, to: Math.min(to, lines().length) };
  };
  const around = (top: number, bottom: number, screens: number): Range => {
    const margin = (scroller?.clientHeight ?? 0) * screens;
    return between(top - margin, bottom + margin);
  };
  const drawAround = (top: number, bottom: number) => {
    const { from, to } = range();
    const least = around(top, bottom, LEAST);
    const most = around(top, bottom, MOST);
    const isEnough = from <= least.from && to >= least.to;
    if (!isEnough || from < most.from || to > most.to) draw(around(top, bottom, AHEAD));
    else draw({ from, to });
  };
  const drawEnd = () => {
    const height = sum(0, lines().length);
    draw({ ...around(height, height, AHEAD), to: lines().length });
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const index = indexes.get(target);
      if (index !== undefined && target.isConnected) heights.set(index, borderBoxSize[0]?.blockSize ?? 0);
    }
  });
  onCleanup(() => observer.disconnect());

  return {
    drawn: () => Array.from({ length: range().to - range().from }, (_, offset) => range().from + offset),
    above,
    below,
    heightOf,
    measure(index, element) {
      indexes.set(element, index);
      observer.observe(element);
      onCleanup(() => observer.unobserve(element));
    },
    attach(scrolling, holding) {
      scroller = scrolling;
      list = holding;
    },
    update() {
      if (!scroller || !list) return;
      const top = scroller.scrollTop - list.offsetTop;
      drawAround(top, top + scroller.clientHeight);
    },
    showEnd: drawEnd,
    show(index) {
      const top = sum(0, index);
      draw(around(top, top, AHEAD));
    },
    reset() {
      heights.clear();
      drawEnd();
    },
  };
}

function isSame(first: Range, second: Range): boolean {
  return first.from === second.from && first.to === second.to;
}
