import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { createClock } from '../common/clock.ts';

/** One line: what Harness is waiting for, and since when. `hint` replaces it for a moment. */
export function StatusLine(props: { hint: string }): JSX.Element {
  const panel = usePanel();
  const { store } = panel;
  const now = createClock(() => isBusy());
  const seconds = () => Math.max(0, Math.floor((now() - store.head.run.since) / 1_000));
  const isBusy = () => store.head.run.busy && store.panel?.readOnly !== true && !store.past;
  const waiting = () => {
    if (!isBusy()) return '';
    const [waiting] = store.head.approvals;
    if (waiting) return waiting.options ? strings.waitingForAnswer : strings.waitingForApproval;
    return store.head.retry ? strings.waitingToRetry : '';
  };
  const words = () =>
    props.hint || waiting() || visibleText(store.head.run.message) || strings.runStates[store.head.run.state];

  return (
    <div class="status-line">
      <div role="status" class="status" data-state={store.head.run.state}>
        <Show when={words()}>
          <Icon name={iconOf(store.head.run.state)} tone={isBusy() ? 'busy' : 'plain'} />
          <span class="status-words">{words()}</span>
          {/* Not announced, because it changes every second. */}
          <Show when={isBusy() && seconds() > 0}>
            <span class="status-time" aria-hidden="true">{`· ${strings.seconds(seconds())}`}</span>
          </Show>
        </Show>
      </div>
      <Show when={isBusy()}>
        <button
          type="button"
          class="quiet"
          aria-label={strings.stop}
          title={strings.stop}
          onClick={() => panel.send({ type: 'run/cancel' })}
        >
          <Icon name="stop" />
          <span class="stop-word">{strings.stop}</span>
        </button>
      </Show>
    </div>
  );
}

function iconOf(state: string): IconName {
  if (state === 'error') return 'cross';
  return state === 'idle' ? 'info' : 'half';
}
