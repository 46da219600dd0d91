import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { createIsNewest, usePanel } from '../../state/panel-context.ts';
import type { NoticePart } from '../../state/parts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { Disclosure } from '../common/Disclosure.tsx';

export function NoticePartView(props: { part: NoticePart }): JSX.Element {
  const panel = usePanel();
  const isNewest = createIsNewest(() => props.part);
  const canGoOn = () => props.part.ended === 'max_turns' && isNewest() && !panel.store.head.run.busy;
  return (
    <div class="part notice" data-part="notice" data-part-id={props.part.id}>
      <p class="message">
        <Icon name="info" />
        <span dir="auto">
          <VisibleText text={props.part.ended ? strings.runEnded[props.part.ended] : props.part.message} />
        </span>
      </p>
      <Show when={props.part.summary}>
        {(summary) => (
          <Disclosure id={props.part.id} label={strings.summary}>
            <p class="summary" dir="auto">
              <VisibleText text={summary()} />
            </p>
          </Disclosure>
        )}
      </Show>
      <Show when={canGoOn()}>
        <div class="actions">
          <Button primary onPress={() => panel.send({ type: 'run/continue' })}>
            {strings.continue}
          </Button>
        </div>
      </Show>
    </div>
  );
}
