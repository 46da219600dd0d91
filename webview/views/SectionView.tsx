import { createEffect, For, type JSX, onMount, Show } from 'solid-js';
import { usePanel } from './panel-context.ts';
import { RowView } from './RowView.tsx';
import type { SectionWindow } from './section-window.ts';

/** A stretch of the session; an empty space until the host has sent it. */
export function SectionView(props: { index: number; window: SectionWindow }): JSX.Element {
  const panel = usePanel();
  const { store } = panel;
  const section = () => store.view.sections[props.index];
  let element!: HTMLDivElement;

  onMount(() => props.window.measure(props.index, element));
  createEffect(() => {
    // Asked again after each snapshot: a request of before may be lost.
    if (store.snapshots > 0 && section() === undefined)
      panel.send({ type: 'section/get', index: props.index });
  });
  return (
    <div class="section" data-section={props.index} ref={element}>
      <Show when={section()} fallback={<div style={{ height: `${props.window.heightOf(props.index)}px` }} />}>
        {(present) => <For each={present().rows}>{(row) => <RowView row={row} />}</For>}
      </Show>
    </div>
  );
}
