import { type JSX, Show } from 'solid-js';

/** What came of a call, behind what it was. The first mark is seen only where both are in one row. */
export function Outcome(props: { words: readonly string[]; hasFailed?: boolean }): JSX.Element {
  return (
    <Show when={props.words.length > 0}>
      <span class="outcome" classList={{ 'group-failed': props.hasFailed ?? false }}>
        <span class="separator"> · </span>
        {props.words.join(' · ')}
      </span>
    </Show>
  );
}
