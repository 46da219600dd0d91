import { For, type JSX } from 'solid-js';
import { looksOf } from '../text/terminal-line.ts';

/** The most separately drawn pieces of all lines. */
const MAX_PIECES = 1_700;

/** Encoded terminal lines in their colors. An unchanged line is not redrawn. */
export function TerminalLines(props: { lines: readonly string[] }): JSX.Element {
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
