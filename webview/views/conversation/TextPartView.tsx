import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { Markdown } from '../../markdown/Markdown.tsx';
import type { TextPart } from '../../state/parts.ts';

export function TextPartView(props: { part: TextPart }): JSX.Element {
  return (
    <div class="part text" data-part="text" data-part-id={props.part.id}>
      <Markdown text={props.part.text} />
      <Show when={props.part.partial}>
        <p class="meta">{strings.cutOff}</p>
      </Show>
    </div>
  );
}
