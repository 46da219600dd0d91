import { type JSX, Show } from 'solid-js';
import type { PermissionMode } from '../../extension/protocol/messages.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';
import { Dropdown } from '../ui/Dropdown.tsx';
import { usePanel } from './panel-context.ts';

// The keys of a complete record of all modes.
const modes = (Object.keys(strings.modes) as PermissionMode[]).map((value) => ({
  value,
  label: strings.modes[value],
}));

/** Mode and model; tokens and cost. */
export function ComposerFoot(): JSX.Element {
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
          </>
        )}
      </Show>
      <Show when={store.head.tokens > 0}>
        <span class="usage" title={strings.usage}>
          {strings.tokens(store.head.tokens)}{' '}
          {store.head.cost === undefined ? '' : strings.cost(store.head.cost)}
        </span>
      </Show>
    </div>
  );
}
