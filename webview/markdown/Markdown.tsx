import { createEffect, type JSX, Show } from 'solid-js';
import { unwrap } from 'solid-js/store';
import { createBlockView } from './block-view.ts';
import type { SplitText } from './split-text.ts';

export function Markdown(props: { text: SplitText }): JSX.Element {
  return (
    <Show when={props.text} keyed>
      {(text) => <GrowingText text={text} />}
    </Show>
  );
}

function GrowingText(props: { text: SplitText }): JSX.Element {
  const container = document.createElement('div');
  container.className = 'blocks';
  let update: ((text: SplitText) => void) | undefined;
  createEffect(() => {
    track(props.text);
    update ??= createBlockView(container, scrollerOf(container));
    update(unwrap(props.text));
  });
  return container;
}

function scrollerOf(element: HTMLElement): HTMLElement {
  return element.closest<HTMLElement>('[role="log"]') ?? document.documentElement;
}

/** Reads the values that change when a text grows or ends. */
function track({ content, blocks }: SplitText): unknown {
  return [content, blocks.length, blocks[blocks.length - 1]?.closed];
}
