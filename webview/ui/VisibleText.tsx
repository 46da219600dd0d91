import { For, type JSX } from 'solid-js';
import { visiblePieces } from '../state/plain-text.ts';

/** Text in which nothing hides. `strict`: tabs and unusual spaces are shown as escapes too. */
export function VisibleText(props: { text: string; strict?: boolean }): JSX.Element {
  return (
    <For each={visiblePieces(props.text, props.strict ?? false)}>
      {(piece) => (piece.hidden ? <span class="escape">{piece.text}</span> : piece.text)}
    </For>
  );
}
