import { For, type JSX, onMount } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import type { Find } from './create-find.ts';
import { findAction, findToggles } from './find-keys.ts';

/** Stands above the conversation and covers nothing of it. */
export function FindWidget(props: { find: Find }): JSX.Element {
  const { find } = props;
  let input!: HTMLInputElement;
  const perform = {
    next: () => find.step(1),
    previous: () => find.step(-1),
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const action = findAction(event);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (action === 'next' || action === 'previous') perform[action]();
    else find.toggle(action);
  };
  onMount(() => {
    const focus = () => {
      input.focus();
      input.select();
    };
    find.onOpen(focus);
    focus();
  });
  return (
    <search class="find" aria-label={strings.find} on:keydown={onKey}>
      <div class="find-box" classList={{ invalid: find.isInvalid() || find.found().error !== undefined }}>
        <input
          ref={input}
          type="text"
          aria-label={strings.find}
          aria-invalid={find.isInvalid()}
          placeholder={strings.find}
          maxLength={1_000}
          spellcheck={false}
          dir="auto"
          value={find.query()}
          onInput={(event) => find.search(event.currentTarget.value)}
        />
        <For each={findToggles}>
          {({ option, label, sign, key }) => (
            <button
              type="button"
              class="find-toggle"
              aria-pressed={find.options()[option]}
              aria-label={strings[label]}
              title={strings.withKeys(strings[label], strings.altKey(key.toUpperCase()))}
              data-sign={sign}
              onClick={() => find.toggle(option)}
            />
          )}
        </For>
      </div>
      <div class="find-rest">
        <div class="find-count" aria-live="polite" aria-atomic="true">
          {countOf(find)}
        </div>
        <div class="find-steps">
          <Step
            icon="up"
            label={strings.previousMatch}
            keys={strings.findKeys.previous}
            press={perform.previous}
          />
          <Step icon="down" label={strings.nextMatch} keys={strings.findKeys.next} press={perform.next} />
          <Step
            icon="cross"
            label={strings.close}
            keys={strings.findKeys.close}
            press={() => void find.close()}
          />
        </div>
      </div>
    </search>
  );
}

function Step(props: { icon: IconName; label: string; keys: string; press: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="find-step"
      aria-label={props.label}
      title={strings.withKeys(props.label, props.keys)}
      onClick={() => props.press()}
    >
      <Icon name={props.icon} />
    </button>
  );
}

function countOf(find: Find): string {
  const { total, isComplete, error } = find.found();
  if (find.query() === '') return '';
  if (find.isInvalid() || error === 'invalid') return strings.invalidExpression;
  if (error === 'slow') return strings.slowExpression;
  if (total === 0) return isComplete ? strings.noResults : '';
  return strings.matchOf(find.current() + 1, total, !isComplete);
}
