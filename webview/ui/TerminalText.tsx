import { For, type JSX } from 'solid-js';
import { looksOf } from '../text/terminal-line.ts';

/** Pieces of all lines that are drawn by themselves. */
const MAX_PIECES = 1_700;

/** Encoded lines of a terminal in their colours. A line that stays is not drawn again. */
export function TerminalText(props: { lines: readonly string[] }): JSX.Element {
  return (
    <For each={props.lines}>
      {(line, index) => (
        <>
          {index() > 0 ? '\n' : ''}
          <For each={looksOf(line, MAX_PIECES / props.lines.length)}>
            {({ text, classes }) => (classes === '' ? text : <span class={classes}>{text}</span>)}
          </For>
        </>
      )}
    </For>
  );
}
