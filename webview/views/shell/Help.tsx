import { For, type JSX, onMount } from 'solid-js';
import { strings } from '../../l10n/strings.ts';

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);
const scrolling = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/** All keys. The next key closes the dialog, unless it scrolls. */
export function Help(props: { onClose: () => void }): JSX.Element {
  let dialog: HTMLDialogElement | undefined;
  onMount(() => {
    dialog?.showModal();
    // The focus is on the button below all keys.
    dialog?.scrollTo(0, 0);
  });
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    const isLong = dialog !== undefined && dialog.scrollHeight > dialog.clientHeight;
    if (modifiers.has(event.key) || (isLong && scrolling.has(event.key))) return;
    event.preventDefault();
    dialog?.close();
  };
  return (
    <dialog
      ref={dialog}
      // biome-ignore lint/a11y/noRedundantRoles: the attribute is what other programs look for.
      role="dialog"
      class="help"
      aria-label={strings.help}
      onKeyDown={onKey}
      onClick={() => dialog?.close()}
      on:close={() => props.onClose()}
    >
      <h2>{strings.helpTitle}</h2>
      <dl>
        <For each={strings.keys}>
          {([keys, meaning]) => (
            <>
              <dt>{keys}</dt>
              <dd>{meaning}</dd>
            </>
          )}
        </For>
      </dl>
      {/* Also lets the keyboard scroll the list in a low panel. */}
      <button type="button" class="quiet">
        {strings.helpClose}
      </button>
    </dialog>
  );
}
