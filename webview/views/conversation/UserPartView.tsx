import { For, type JSX, Show } from 'solid-js';
import { attachmentName } from '../../../extension/protocol/composer-messages.ts';
import type { Typed } from '../../../extension/protocol/draft-messages.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import type { UserPart } from '../../state/parts.ts';
import { Icon } from '../../ui/icons.tsx';
import { ScrollText } from '../../ui/ScrollText.tsx';
import { Disclosure } from '../common/Disclosure.tsx';
import { StoredImage } from '../common/StoredImage.tsx';

export function UserPartView(props: { part: UserPart }): JSX.Element {
  const panel = usePanel();
  return (
    <div class="part user" data-part="user" data-part-id={props.part.id}>
      <Show when={props.part.content.trim() !== ''}>
        <p dir="auto">{props.part.content}</p>
      </Show>
      <Show when={panel.store.panel?.readOnly === false}>
        <button
          type="button"
          class="quiet edit-prompt"
          aria-label={strings.editPrompt}
          title={strings.editPrompt}
          onClick={() => panel.drafting.edit(Number(props.part.id), typedOf(props.part))}
        >
          <Icon name="pencil" />
        </button>
      </Show>
      <Show when={props.part.attachments.length > 0}>
        <ul class="attachments" aria-label={strings.attachments}>
          <For each={props.part.attachments}>
            {(name, index) => (
              <li>
                <StoredImage name={name} number={index() + 1} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={props.part.context !== ''}>
        <Disclosure id={`${props.part.id}.context`} label={<span class="name">{strings.context}</span>}>
          <ScrollText label={strings.context} text={props.part.context} />
        </Disclosure>
      </Show>
    </div>
  );
}

/** The prompt as it was in the input. The log stores only the name of an image. */
function typedOf({ content, attachments }: UserPart): Typed {
  const images = attachments.flatMap((name, index) => {
    const image = { name, title: strings.imageNumber(index + 1), bytes: 0, thumbnail: '' };
    return attachmentName.safeParse(name).success ? [image] : [];
  });
  return { text: content, attachments: images };
}
