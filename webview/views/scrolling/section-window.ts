// Draws only the sections near the viewport. Empty space above and below replaces the others.
import { type Accessor, batch, createSignal, onCleanup } from 'solid-js';
import { HeightSums } from './height-sums.ts';

export interface SectionWindow {
  /** Indexes of the drawn sections. */
  drawn: Accessor<number[]>;
  /** Heights of the undrawn sections, in CSS pixels. */
  above: Accessor<number>;
  below: Accessor<number>;
  /** The height of a section, measured or estimated, in CSS pixels. */
  heightOf(index: number): number;
  /** Measures the element of a section until it is removed. */
  measure(index: number, element: HTMLElement): void;
  /** `list` contains the sections and the space around them. */
  attach(scroller: HTMLElement, list: HTMLElement): void;
  /** Draws what is visible, after a scroll or a layout. */
  update(): void;
  /** Draws the end of the session. */
  showEnd(): void;
  /** Draws the surroundings of a section. */
  show(index: number): void;
  /** Call for another session, whose heights are unknown. */
  reset(): void;
}

/** CSS pixels of an estimated line. */
const LINE = 20;
/** Viewports on each side: drawn in an update, required, and the most that stay drawn. */
const AHEAD = 1.5;
const LEAST = 0.75;
const MOST = 3;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** `lines` has the estimated lines of each section. It must be the same array while it only grows. */
export function createSectionWindow(lines: Accessor<readonly number[]>): SectionWindow {
  const heights = new Map<number, number>();
  const indexes = new WeakMap<Element, number>();
  const [range, setRange] = createSignal<Range>({ from: 0, to: 0 }, { equals: isSame });
  const [above, setAbove] = createSignal(0);
  const [below, setBelow] = createSignal(0);
  let scroller: HTMLElement | undefined;
  let list: HTMLElement | undefined;

  const heightOf = (index: number) => heights.get(index) ?? Math.max(1, lines()[index] ?? 0) * LINE;
  let summed = lines();
  let known = new HeightSums();
  /** The sums of all sections. */
  const sums = () => {
    if (summed !== lines()) known = new HeightSums();
    summed = lines();
    for (let index = known.length; index < summed.length; index += 1) known.push(heightOf(index));
    return known;
  };
  const draw = (next: Range) =>
    batch(() => {
      setRange(next);
      setAbove(sums().before(next.from));
      setBelow(sums().before(lines().length) - sums().before(next.to));
    });
  /** The sections that overlap the pixels between `top` and `bottom` of the list. */
  const between = (top: number, bottom: number): Range => {
    const from = Math.max(0, Math.min(sums().countBefore(top), lines().length - 1));
    const to = Math.max(from, sums().countBefore(bottom)) + 1;
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
    const height = sums().before(lines().length);
    draw({ ...around(height, height, AHEAD), to: lines().length });
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const index = indexes.get(target);
      if (index === undefined || !target.isConnected) continue;
      heights.set(index, borderBoxSize[0]?.blockSize ?? 0);
      sums().set(index, heightOf(index));
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
      const top = sums().before(index);
      draw(around(top, top, AHEAD));
    },
    reset() {
      heights.clear();
      known = new HeightSums();
      drawEnd();
    },
  };
}

function isSame(first: Range, second: Range): boolean {
  return first.from === second.from && first.to === second.to;
}
