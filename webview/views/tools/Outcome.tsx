import { For, type JSX, Show } from 'solid-js';

interface Properties {
  readonly words: readonly string[];
  /** That of them which can be found. */
  readonly found?: string;
  readonly hasFailed?: boolean;
}

/** What came of a call, behind what it was. The first mark is seen only where both are in one row. */
export function Outcome(props: Properties): JSX.Element {
  return (
    <Show when={props.words.length > 0}>
      <span class="outcome" classList={{ 'group-failed': props.hasFailed ?? false }}>
        <span class="separator"> · </span>
        <For each={props.words}>
          {(word, index) => (
            <>
              <Show when={index() > 0}>
                <span> · </span>
              </Show>
              <span classList={{ found: word === props.found }}>{word}</span>
            </>
          )}
        </For>
      </span>
    </Show>
  );
}
