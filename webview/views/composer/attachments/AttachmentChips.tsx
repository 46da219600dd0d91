import { For, type JSX, Show } from 'solid-js';
import { strings } from '../../../l10n/strings.ts';
import { visibleText } from '../../../text/plain-text.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { DraftAttachments } from './draft-attachments.ts';

export function AttachmentChips(props: { attachments: DraftAttachments; onRemove: () => void }): JSX.Element {
  return (
    <Show when={props.attachments.items().length > 0}>
      <ul class="chips" aria-label={strings.attachments}>
        <For each={props.attachments.items()}>
          {({ name, title, bytes, thumbnail }) => (
            <li class="chip">
              <Show when={thumbnail !== ''} fallback={<Icon name="image" />}>
                <img src={thumbnail} alt="" />
              </Show>
              <span class="chip-name" title={visibleText(title)}>
                {visibleText(title)}
              </span>
              <Show when={bytes > 0}>
                <span class="meta">{strings.size(bytes)}</span>
              </Show>
              <button
                type="button"
                class="quiet"
                aria-label={strings.removeAttachment(visibleText(title))}
                onClick={() => {
                  props.attachments.remove(name);
                  props.onRemove();
                }}
              >
                <Icon name="cross" />
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
