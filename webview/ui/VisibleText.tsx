import { createMemo, For, type JSX } from 'solid-js';
import { visiblePieces } from '../text/plain-text.ts';

/** Pieces that are drawn by themselves, however many there are. */
const MAX_PIECES = 400;

interface Properties {
  readonly text: string;
  /** Tabs and unusual spaces are shown as escapes too. */
  readonly strict?: boolean;
  readonly pieces?: number;
}

/** Text in which nothing hides. */
export function VisibleText(props: Properties): JSX.Element {
  const pieces = createMemo(() => visiblePieces(props.text, props.strict ?? false));
  const most = () => props.pieces ?? MAX_PIECES;
  const rest = () =>
    pieces()
      .slice(most())
      .map(({ text }) => text);
  return (
    <>
      <For each={pieces().slice(0, most())}>
        {(piece) => (piece.hidden ? <span class="escape">{piece.text}</span> : piece.text)}
      </For>
      {rest().join('')}
    </>
  );
}
