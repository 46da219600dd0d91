import { createEffect, createMemo, createSignal, For, type JSX, on, onMount, Show, untrack } from 'solid-js';
import type { Row, Section } from '../../state/parts.ts';
import { nearViewportOf } from '../../ui/near-viewport.ts';
import { holdRows } from '../scrolling/row-chunks.ts';
import { RowView } from './RowView.tsx';

/** CSS px of a row until it is measured. */
const ROW_HEIGHT = 26;

interface Properties {
  readonly section: Section;
  /** Index of its first row. */
  readonly from: number;
  /** Index of the first row after it; undefined while it grows. */
  readonly to: number | undefined;
  /** Whether it is near the end of its section. */
  readonly isLate: boolean;
}

/** Adjacent rows that are drawn and removed together. Rows that may still grow stay in the page. */
export function ChunkView(props: Properties): JSX.Element {
  const [isDrawn, setDrawn] = createSignal(untrack(() => props.isLate));
  const rows = createMemo(() => rowsBetween(props.section.rows, props.from, props.to));
  let element!: HTMLDivElement;
  const watch = () =>
    nearViewportOf(element.closest<HTMLElement>('.conversation') ?? element).watch(
      {
        element,
        estimate: rows().length * ROW_HEIGHT,
        isReachable: true,
        draw: () => setDrawn(true),
        clear: () => setDrawn(false),
      },
      isDrawn(),
    );
  onMount(() => {
    holdRows(element, rows);
    createEffect(
      on(
        () => props.to !== undefined,
        (isFull) => isFull && watch(),
      ),
    );
  });
  return (
    <div class="chunk" classList={{ continued: areCalls(props.section.rows, props.from) }} ref={element}>
      <Show when={isDrawn()}>
        <For each={rows()}>{(row) => <RowView row={row} />}</For>
      </Show>
    </div>
  );
}

/** A full chunk never changes, so it does not depend on the growth of others. */
function rowsBetween(rows: readonly Row[], from: number, to: number | undefined): readonly Row[] {
  return to === undefined ? rows.slice(from) : untrack(() => rows.slice(from, to));
}

/** Whether the row at `index` and the one before it are calls, which have less space between them. */
function areCalls(rows: readonly Row[], index: number): boolean {
  return [rows[index - 1], rows[index]].every((row) => row?.parts[0]?.kind === 'tool');
}
