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
  const { view } = panel.store;
  return (
    <div class="composer-foot">
      <Show when={panel.store.panel}>
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
      <Show when={view.tokens > 0}>
        <span class="usage" title={strings.usage}>
          {strings.tokens(view.tokens)} {view.cost === undefined ? '' : strings.cost(view.cost)}
        </span>
      </Show>
    </div>
  );
}
