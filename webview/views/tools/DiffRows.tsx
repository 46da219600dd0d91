import { For, type JSX } from 'solid-js';
import type { DiffRow } from '../../tools/input-diff.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';

const signs = { added: '+', removed: '−', same: ' ', place: ' ' } as const;
/** The most separately drawn pieces of a line. */
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
