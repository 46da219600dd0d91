import { createEffect, For, type JSX, on, Show } from 'solid-js';
import { strings } from '../../../l10n/strings.ts';
import { visibleText } from '../../../text/plain-text.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { Popup, PopupChoice } from './popup.ts';

export const LIST_ID = 'completion';
/** CSS px of free space above the list. */
const MARGIN = 8;

/** The id of the active choice's element; undefined if there is none. */
export function activeId(popup: Popup): string | undefined {
  return popup.active() < 0 ? undefined : `${LIST_ID}-${popup.active()}`;
}

/** Stands above the input, so that it never covers the typed text. Keyboard focus stays in the input. */
export function CompletionList(props: { popup: Popup; onTake: (choice: PopupChoice) => void }): JSX.Element {
  return (
    <Show when={props.popup.label() !== ''}>
      <List popup={props.popup} onTake={props.onTake} />
    </Show>
  );
}

function List(props: { popup: Popup; onTake: (choice: PopupChoice) => void }): JSX.Element {
  let list!: HTMLDivElement;
  createEffect(
    on([props.popup.choices, props.popup.active], () => {
      list.style.maxHeight = `${(list.parentElement?.getBoundingClientRect().top ?? 0) - MARGIN}px`;
      list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    }),
  );
  return (
    <div
      ref={list}
      id={LIST_ID}
      class="completion"
      role="listbox"
      aria-label={props.popup.label()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <For each={props.popup.choices()} fallback={<Nothing />}>
        {(choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus.
          <div
            id={`${LIST_ID}-${index()}`}
            role="option"
            aria-selected={index() === props.popup.active()}
            class="choice"
            onClick={() => props.onTake(choice)}
          >
            <Icon name={choice.icon} />
            <span class="choice-label">{visibleText(choice.label)}</span>
            <span class="choice-detail">{visibleText(choice.detail)}</span>
          </div>
        )}
      </For>
    </div>
  );
}

/** A list must have an entry; this one cannot be chosen. */
function Nothing(): JSX.Element {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus.
    <div role="option" aria-selected="false" aria-disabled="true" class="completion-none">
      {strings.nothingFound}
    </div>
  );
}
