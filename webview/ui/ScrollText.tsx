import type { JSX } from 'solid-js';
import { VisibleText } from './VisibleText.tsx';

interface Properties {
  readonly label: string;
  readonly text: string;
  readonly strict?: boolean;
  readonly class?: string;
}

/** Text as it is, in a box of limited height that the keyboard can reach and scroll. */
export function ScrollText(props: Properties): JSX.Element {
  return (
    <section class={`scroll-text ${props.class ?? ''}`} tabindex="0" aria-label={props.label}>
      <pre dir="ltr">
        <VisibleText text={props.text} strict={props.strict ?? false} />
      </pre>
    </section>
  );
}
