// The rows of a section after the first one, in chunks. Only chunks near the viewport are in the page, so
// that a reply with many calls costs no more than a short one.
import { type Accessor, createMemo, untrack } from 'solid-js';
import type { Row, Section } from '../../state/parts.ts';
import { nearViewportOf } from '../../ui/near-viewport.ts';

/** The parts of a full chunk. */
const PARTS = 10;
const held = new WeakMap<Element, () => readonly Row[]>();

/** The index of the first row of each chunk. All but the last are full. */
export function chunkStarts(section: Accessor<Section>): Accessor<readonly number[]> {
  let rows: readonly Row[] | undefined;
  let starts: readonly number[] = [1];
  let counted = 1;
  let parts = 0;
  const begin = (of: readonly Row[]) => {
    rows = of;
    starts = [1];
    counted = 1;
    parts = 0;
  };
  const count = (row: Row | undefined) => {
    parts += row?.parts.length ?? 0;
    counted += 1;
    if (parts < PARTS) return;
    starts = [...starts, counted];
    parts = 0;
  };
  return createMemo(() => {
    const all = section().rows;
    const { length } = all;
    if (all !== rows) begin(all);
    // The last one may still take more parts.
    while (counted < length - 1) untrack(() => count(all[counted]));
    return starts;
  });
}

/** Stores the rows of `element`, even while they are not drawn. */
export function holdRows(element: Element, rows: () => readonly Row[]): void {
  held.set(element, rows);
}

/** The element of a part whose section is in the page; null if there is none, or if it is folded away. */
export function drawnPart(scroller: HTMLElement, section: number, part: string): HTMLElement | null {
  const find = () =>
    scroller.querySelector<HTMLElement>(`[data-section="${section}"] [data-part-id="${CSS.escape(part)}"]`);
  const chunks = scroller.querySelectorAll<HTMLElement>(`[data-section="${section}"] > [data-undrawn]`);
  const found = find();
  if (found) return found;
  const chunk = [...chunks].find((element) => holds(element, part));
  if (chunk) nearViewportOf(scroller).draw(chunk);
  return chunk ? find() : null;
}

function holds(chunk: Element, part: string): boolean {
  const rows = untrack(() => held.get(chunk)?.()) ?? [];
  return rows.some(({ parts }) => parts.some(({ id }) => id === part));
}

/** Draws the chunk before or after the chunk of `part`. */
export function drawBeside(scroller: HTMLElement, part: Element, direction: -1 | 1): void {
  const own = part.closest('[data-section] > *');
  const beside = direction < 0 ? own?.previousElementSibling : own?.nextElementSibling;
  if (beside instanceof HTMLElement) nearViewportOf(scroller).draw(beside);
}
