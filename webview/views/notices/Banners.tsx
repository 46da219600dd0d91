import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { whyReadOnly } from '../composer/why-not-sendable.ts';

/** Messages about the whole panel, which must not scroll away. */
export function Banners(): JSX.Element {
  const panel = usePanel();
  const state = () => panel.store.panel;
  return (
    <div class="banners">
      <Show when={state()?.demo}>
        <p class="banner demo">{strings.demo}</p>
      </Show>
      <Show when={state()?.readOnly}>
        <div class="banner">
          <Icon name="info" />
          <span>{whyReadOnly(state() ?? {})}</span>
          <Button onPress={() => panel.post({ type: 'command', command: 'harness.forkSession' })}>
            {strings.forkSession}
          </Button>
        </div>
      </Show>
      <Show when={state()?.trusted === false}>
        <div class="banner">
          <Icon name="warning" />
          <span>{strings.untrusted}</span>
          <Button onPress={() => panel.post({ type: 'command', command: 'harness.manageTrust' })}>
            {strings.manageTrust}
          </Button>
        </div>
      </Show>
    </div>
  );
}
