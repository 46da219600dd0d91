import { For, type JSX } from 'solid-js';
import { VisibleText } from '../../ui/VisibleText.tsx';
import type { DiffRow } from './tool-diff.ts';

const signs = { added: '+', removed: '−', same: ' ', place: ' ' } as const;
/** Pieces of a line that are drawn by themselves. */
const MAX_PIECES = 16;

/** The lines of a change, each with its sign. */
export function DiffRows(props: { rows: readonly DiffRow[] }): JSX.Element {
  return (
    <For each={props.rows}>
      {({ kind, text }) => (
        <span class={`diff-${kind}`}>
          <span class="sign">{signs[kind]} </span>
          <VisibleText text={text} pieces={MAX_PIECES} />
          {'\n'}
        </span>
      )}
    </For>
  );
}
