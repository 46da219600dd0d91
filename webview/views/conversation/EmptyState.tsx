import { For, type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel, usePanelState } from '../../state/panel-context.ts';
import { Button } from '../../ui/Button.tsx';

/** The offers of a session without a prompt. */
export function EmptyState(): JSX.Element {
  const panel = usePanel();
  const state = usePanelState();
  const suggestions = () => state()?.suggestions.slice(0, 3) ?? [];
  return (
    <div class="empty">
      <p>{strings.emptySentence}</p>
      <Show when={state()?.hasWorkspace === false}>
        <p class="meta">{strings.openFolder}</p>
      </Show>
      <Show when={state()?.ready === false}>
        <p class="meta">{strings.needsKey}</p>
        <div class="actions">
          <Button primary onPress={() => panel.post({ type: 'command', command: 'harness.setApiKey' })}>
            {strings.setApiKey}
          </Button>
          <Button onPress={() => panel.post({ type: 'command', command: 'harness.useDemo' })}>
            {strings.tryDemo}
          </Button>
        </div>
      </Show>
      <Show when={suggestions().length > 0}>
        <ul class="suggestions" aria-label={strings.suggestions}>
          <For each={suggestions()}>
            {(suggestion) => (
              <li>
                <button type="button" class="suggestion" onClick={() => panel.input.insert(suggestion)}>
                  {suggestion}
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}
