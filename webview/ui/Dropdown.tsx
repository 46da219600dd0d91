import { createEffect, For, type JSX } from 'solid-js';
import { Icon } from './icons.tsx';

interface Properties<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  onSelect(value: Value): void;
}

/** Always shows `value`. A choice only takes effect when the caller passes it as the new value. */
export function Dropdown<Value extends string>(props: Properties<Value>): JSX.Element {
  let element!: HTMLSelectElement;
  const choose = () => {
    // The element's values are those of the options below.
    const chosen = element.value as Value;
    element.value = props.value;
    if (chosen !== props.value) props.onSelect(chosen);
  };
  createEffect(() => {
    element.value = props.value;
  });
  return (
    <span class="dropdown">
      <select ref={element} aria-label={props.label} onChange={choose}>
        <For each={props.options}>{(option) => <option value={option.value}>{option.label}</option>}</For>
      </select>
      <Icon name="chevron" tone="faint" />
    </span>
  );
}
