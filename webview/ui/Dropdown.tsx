import { For, type JSX } from 'solid-js';

interface Properties<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  onSelect(value: Value): void;
}

/** Shows `value` whatever is chosen: a choice counts when it comes back as the new value. */
export function Dropdown<Value extends string>(props: Properties<Value>): JSX.Element {
  const choose = (event: Event) => {
    // The toolkit's dropdown has a `value`, that of one of the options below.
    const element = event.currentTarget as HTMLElement & { value: Value };
    const chosen = element.value;
    if (chosen === props.value) return;
    element.value = props.value;
    props.onSelect(chosen);
  };
  return (
    <vscode-dropdown aria-label={props.label} position="above" prop:value={props.value} on:change={choose}>
      <For each={props.options}>
        {(option) => <vscode-option value={option.value}>{option.label}</vscode-option>}
      </For>
    </vscode-dropdown>
  );
}
