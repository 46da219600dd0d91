import { createMemo, For, type JSX } from 'solid-js';
import { visiblePieces } from '../text/plain-text.ts';

/** The most separately drawn pieces. */
const MAX_PIECES = 400;

interface Properties {
  readonly text: string;
  /** Also shows tabs and unusual spaces as escapes. */
  readonly strict?: boolean;
  readonly pieces?: number;
}

/** Text with all hidden characters visible. */
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
