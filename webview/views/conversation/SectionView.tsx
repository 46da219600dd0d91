import { type Accessor, createEffect, createMemo, For, type JSX, onMount, Show } from 'solid-js';
import { usePanel } from '../../state/panel-context.ts';
import type { Section } from '../../state/parts.ts';
import { chunkStarts } from '../scrolling/row-chunks.ts';
import type { SectionWindow } from '../scrolling/section-window.ts';
import { ChunkView } from './ChunkView.tsx';
import { RowView } from './RowView.tsx';

/** A section of the session; empty space until the host has sent it. */
export function SectionView(props: { index: number; window: SectionWindow }): JSX.Element {
  const panel = usePanel();
  const { store } = panel;
  const section = () => store.view.sections[props.index];
  let element!: HTMLDivElement;

  onMount(() => props.window.measure(props.index, element));
  createEffect(() => {
    // Asks again after each snapshot, because an earlier request may be lost.
    if (store.snapshots > 0 && section() === undefined)
      panel.send({ type: 'section/get', index: props.index });
  });
  return (
    <div class="section" data-section={props.index} ref={element}>
      <Show when={section()} fallback={<div style={{ height: `${props.window.heightOf(props.index)}px` }} />}>
        {(present) => <Rows section={present} />}
      </Show>
    </div>
  );
}

/** The first row is always in the page, because a short prompt stays visible above its answer. */
function Rows(props: { section: Accessor<Section> }): JSX.Element {
  const section = () => props.section();
  const first = createMemo(() => section().rows.slice(0, 1));
  const starts = chunkStarts(section);
  return (
    <>
      <For each={first()}>{(row) => <RowView row={row} />}</For>
      <For each={starts()}>
        {(from, index) => (
          <ChunkView
            section={section()}
            from={from}
            to={starts()[index() + 1]}
            isLate={index() >= starts().length - 2}
          />
        )}
      </For>
    </>
  );
}
