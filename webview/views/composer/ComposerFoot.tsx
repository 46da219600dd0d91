import { type JSX, Show } from 'solid-js';
import type { PermissionMode } from '../../../extension/protocol/messages.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { Dropdown } from '../../ui/Dropdown.tsx';
import { Icon } from '../../ui/icons.tsx';

// The keys of a complete record of all modes.
const modes = (Object.keys(strings.modes) as PermissionMode[]).map((value) => ({
  value,
  label: strings.modes[value],
}));

/** Mode and model, additions to the prompt, tokens and cost. */
export function ComposerFoot(props: { onMention: () => void }): JSX.Element {
  const panel = usePanel();
  const { store } = panel;
  return (
    <div class="composer-foot">
      <Show when={store.panel}>
        {(state) => (
          <>
            <Dropdown
              label={strings.mode}
              value={state().mode}
              options={modes}
              onSelect={(mode) => panel.post({ type: 'mode/select', mode })}
            />
            <button
              type="button"
              class="quiet model"
              title={state().model}
              aria-label={strings.model(state().modelName)}
              onClick={() => panel.post({ type: 'command', command: 'harness.selectModel' })}
            >
              {visibleText(state().modelName)}
            </button>
            <span class="composer-tools">
              <button
                type="button"
                class="quiet"
                aria-label={strings.mention}
                title={strings.mention}
                onClick={() => props.onMention()}
              >
                <Icon name="at" />
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={strings.attach}
                title={strings.attachHint}
                onClick={() => panel.post({ type: 'attachment/pick', session: panel.memory.saved.session })}
              >
                <Icon name="attach" />
              </button>
            </span>
          </>
        )}
      </Show>
      <Show when={store.head.tokens > 0}>
        <button
          type="button"
          class="quiet usage"
          title={strings.usage}
          onClick={() => panel.send({ type: 'cost/get' })}
        >
          {store.head.estimated ? '~' : ''}
          {strings.tokens(store.head.tokens)}{' '}
          {store.head.cost === undefined ? '' : strings.cost(store.head.cost)}
        </button>
      </Show>
    </div>
  );
}
