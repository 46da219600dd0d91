import { createEffect, createUniqueId, For, type JSX, on, Show } from 'solid-js';
import type { ShownBackground } from '../../../extension/protocol/head.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { createIds } from './listed-ids.ts';

/** The commands that the session runs in the background. Nothing if there are none. */
export function BackgroundList(): JSX.Element {
  const panel = usePanel();
  const running = () => panel.store.head.background ?? [];
  const ids = createIds(running);
  createEffect(
    on(
      () => ids().length,
      (count) => panel.announce({ text: strings.backgroundCount(count), urgent: false }),
      { defer: true },
    ),
  );
  return (
    <Show when={ids().length > 0}>
      <ul class="queue background" aria-label={strings.background}>
        <For each={ids()}>
          {(id) => (
            <Show when={running().find((item) => item.id === id)}>{(item) => <Command item={item()} />}</Show>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Command(props: { item: ShownBackground }): JSX.Element {
  const panel = usePanel();
  const text = createUniqueId();
  const words = () => visibleText(props.item.command);
  const stop = () => {
    panel.send({ type: 'background/stop', id: props.item.id });
    // Its button disappears with the command.
    panel.input.focus();
  };
  return (
    <li class="queued">
      <p id={text} class="queued-text" dir="ltr" title={words()}>
        {words()}
      </p>
      <div class="queued-foot">
        <span class="meta">
          {props.item.moved ? strings.runsUntilReload : strings.runsInBackground(props.item.id)}
        </span>
        <Show when={!(panel.store.panel?.readOnly || panel.store.past)}>
          <span class="queued-actions">
            <button
              type="button"
              class="quiet"
              aria-describedby={text}
              onClick={() => panel.send({ type: 'background/show', id: props.item.id })}
            >
              {strings.show}
            </button>
            <Show when={!props.item.moved}>
              <button
                type="button"
                class="quiet"
                aria-describedby={text}
                aria-pressed={props.item.kept}
                title={strings.keepHint}
                onClick={() =>
                  panel.send({ type: 'background/keep', id: props.item.id, kept: !props.item.kept })
                }
              >
                {strings.keep}
              </button>
            </Show>
            <button type="button" class="quiet" aria-describedby={text} onClick={stop}>
              {strings.stop}
            </button>
          </span>
        </Show>
      </div>
    </li>
  );
}
