import type { JSX } from 'solid-js';
import { strings } from '../../l10n/strings.ts';

/** The art as drawn. A screen reader reads it as one word. */
export function Header(props: { art: string }): JSX.Element {
  return (
    <div class="part header" data-part="header" data-part-id="header">
      <pre role="img" aria-label={strings.product}>
        {props.art}
      </pre>
    </div>
  );
}
