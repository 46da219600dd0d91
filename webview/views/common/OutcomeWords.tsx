import { For, type JSX, Show } from 'solid-js';

interface Properties {
  readonly words: readonly string[];
  /** The word that a search can find. */
  readonly found?: string;
  readonly hasFailed?: boolean;
}

/** A few words after the name of a line, such as the outcome of a call. The first separator is visible only if both are in one row. */
export function OutcomeWords(props: Properties): JSX.Element {
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
