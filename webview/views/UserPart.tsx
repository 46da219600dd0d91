import { For, type JSX, Show } from 'solid-js';
import type { UserPart as Part } from '../state/parts.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';

/** Longer prompts would cover their own answer if they stayed in sight. */
const STICKY_LENGTH = 160;

export function UserPart(props: { part: Part }): JSX.Element {
  const isShort = () => props.part.content.length <= STICKY_LENGTH && !props.part.content.includes('\n');
  return (
    <div class="part user" classList={{ sticky: isShort() }} data-part="user" data-part-id={props.part.id}>
      <p dir="auto">{props.part.content}</p>
      <Show when={props.part.attachments.length > 0}>
        <ul class="attachments" aria-label={strings.attachments}>
          <For each={props.part.attachments}>{(path) => <li>{visibleText(path)}</li>}</For>
        </ul>
      </Show>
    </div>
  );
}
