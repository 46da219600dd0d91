import type { JSX } from 'solid-js';
import { ScrollBox } from './ScrollBox.tsx';
import { VisibleText } from './VisibleText.tsx';

interface Properties {
  readonly label: string;
  readonly text: string;
  readonly strict?: boolean;
  readonly class?: string;
}

/** Text with all hidden characters visible. */
export function ScrollText(props: Properties): JSX.Element {
  return (
    <ScrollBox label={props.label} class={props.class ?? ''}>
      <VisibleText text={props.text} strict={props.strict ?? false} />
    </ScrollBox>
  );
}
