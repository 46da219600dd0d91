import { type JSX, Show } from 'solid-js';
import { attachmentName } from '../../../extension/protocol/composer-messages.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { Icon } from '../../ui/icons.tsx';

/** Opens an image of the session. Its stored name is not meaningful. */
export function StoredImage(props: { name: string; number: number }): JSX.Element {
  const panel = usePanel();
  return (
    <Show when={attachmentName.safeParse(props.name).success} fallback={visibleText(props.name)}>
      <button
        type="button"
        class="quiet"
        title={strings.openImage}
        onClick={() => panel.post({ type: 'attachment/open', name: props.name })}
      >
        <Icon name="image" />
        {strings.imageNumber(props.number)}
      </button>
    </Show>
  );
}
