import { createEffect, createUniqueId, For, type JSX, on, Show } from 'solid-js';
import type { QueuedPrompt } from '../../../extension/protocol/queue-messages.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { createIds } from './listed-ids.ts';

/** The prompts that wait for the end of the run, in sending order. */
export function QueuedPrompts(): JSX.Element {
  const panel = usePanel();
  const queue = () => panel.store.panel?.queue ?? [];
  const ids = createIds(queue);
  createEffect(
    on(
      () => ids().length,
      (count, before = 0) => {
        if (count > before) panel.announce({ text: strings.queuedCount(count), urgent: false });
      },
      { defer: true },
    ),
  );
  return (
    <Show when={ids().length > 0}>
      <ul class="queue" aria-label={strings.queue}>
        <For each={ids()}>
          {(id) => (
            <Show when={queue().find((item) => item.id === id)}>{(item) => <Queued item={item()} />}</Show>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Queued(props: { item: QueuedPrompt }): JSX.Element {
  const panel = usePanel();
  const text = createUniqueId();
  const isBusy = () => panel.store.head.run.busy;
  const words = () => props.item.text.trim() || visibleText(titlesOf(props.item));
  const act = (type: 'queue/edit' | 'queue/remove' | 'queue/send') => {
    panel.send({ type, id: props.item.id });
    // Its button may disappear in a moment.
    panel.input.focus();
  };
  return (
    <li class="queued" data-state={props.item.state}>
      <p id={text} class="queued-text" dir="auto" title={words()}>
        {words()}
      </p>
      <div class="queued-foot">
        <span class="meta">{strings.queueStates[props.item.state]}</span>
        <span class="queued-actions">
          <Show when={props.item.state !== 'steering'}>
            <button type="button" class="quiet" aria-describedby={text} onClick={() => act('queue/send')}>
              {isBusy() ? strings.sendNow : strings.send}
            </button>
          </Show>
          <button type="button" class="quiet" aria-describedby={text} onClick={() => act('queue/edit')}>
            {strings.edit}
          </button>
          <button type="button" class="quiet" aria-describedby={text} onClick={() => act('queue/remove')}>
            {strings.remove}
          </button>
        </span>
      </div>
    </li>
  );
}

function titlesOf({ attachments = [] }: QueuedPrompt): string {
  return attachments.map(({ title }) => title).join(', ');
}
