import { createEffect, type JSX, on, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { Icon } from '../../ui/icons.tsx';

/** Explains that the input contains an earlier prompt, and what sending it does. */
export function EditingNotice(): JSX.Element {
  const panel = usePanel();
  const isEditing = () => panel.drafting.before() !== undefined && panel.store.panel?.readOnly !== true;
  createEffect(
    on(isEditing, (now) => now && panel.announce({ text: strings.editingPrompt, urgent: false }), {
      defer: true,
    }),
  );
  return (
    <Show when={isEditing()}>
      <div class="editing">
        <Icon name="pencil" />
        <span>{strings.editingPrompt}</span>
        <button type="button" class="quiet" onClick={() => panel.drafting.endEdit()}>
          {strings.cancelEditing}
        </button>
      </div>
    </Show>
  );
}
