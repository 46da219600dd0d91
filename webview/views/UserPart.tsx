import { For, type JSX, Show } from 'solid-js';
import type { UserPart as Part } from '../state/parts.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';

export function UserPart(props: { part: Part }): JSX.Element {
  return (
    <div class="part user" data-part="user" data-part-id={props.part.id}>
      <p dir="auto">{props.part.content}</p>
      <Show when={props.part.attachments.length > 0}>
        <ul class="attachments" aria-label={strings.attachments}>
          <For each={props.part.attachments}>{(path) => <li>{visibleText(path)}</li>}</For>
        </ul>
      </Show>
    </div>
  );
}
