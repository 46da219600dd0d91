import type { JSX } from 'solid-js';
import type { Head } from '../../../extension/protocol/head.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { createClock } from '../common/clock.ts';

/** Shown after a failed request until it is sent again. */
export function RetryNotice(props: { retry: NonNullable<Head['retry']> }): JSX.Element {
  const panel = usePanel();
  const now = createClock(() => true);
  const seconds = () => Math.max(0, Math.ceil((props.retry.since + props.retry.delayMs - now()) / 1_000));
  return (
    <div class="part notice" data-part="notice" data-part-id={`retry-${props.retry.since}`}>
      <p class="message">
        <Icon name="warning" />
        <span dir="auto">
          <VisibleText text={props.retry.message} />{' '}
          <span class="countdown" aria-hidden="true">
            {strings.retryIn(seconds())}
          </span>
        </span>
      </p>
      <div class="actions">
        <Button primary onPress={() => panel.send({ type: 'retry/now' })}>
          {strings.retryNow}
        </Button>
        <Button onPress={() => panel.post({ type: 'command', command: 'harness.selectModel' })}>
          {strings.switchModel}
        </Button>
        <Button onPress={() => panel.send({ type: 'run/cancel' })}>{strings.stop}</Button>
      </div>
    </div>
  );
}
