import type { JSX } from 'solid-js';

interface Properties {
  readonly primary?: boolean;
  readonly children: JSX.Element;
  onPress(): void;
}

/**
 * A button with a text. Toggles and icons are native buttons, because this one hides ARIA states in its
 * shadow DOM.
 */
export function Button(props: Properties): JSX.Element {
  return (
    <vscode-button appearance={props.primary ? 'primary' : 'secondary'} onClick={() => props.onPress()}>
      {props.children}
    </vscode-button>
  );
}
