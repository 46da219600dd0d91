import type { JSX } from 'solid-js';

interface Properties {
  readonly label: string;
  readonly class?: string;
  readonly children: JSX.Element;
}

/** Text in a box of limited height that the keyboard can reach and scroll. */
export function ScrollBox(props: Properties): JSX.Element {
  return (
    <section class={`scroll-text ${props.class ?? ''}`} tabindex="0" aria-label={props.label}>
      <pre dir="ltr">{props.children}</pre>
    </section>
  );
}
