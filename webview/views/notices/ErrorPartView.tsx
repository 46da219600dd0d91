import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { createIsNewest, usePanel } from '../../state/panel-context.ts';
import type { ErrorPart } from '../../state/parts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';

const needsKey = new Set(['auth', 'no_key']);
/** Errors for which another model may work. */
const needsModel = new Set([
  'not_found',
  'permission',
  'billing',
  'rate_limit',
  'overloaded',
  'server',
  'timeout',
  'stream_incomplete',
  'tool_format',
  'context_overflow',
  'tools_unsupported',
  'thinking_unsupported',
]);

/** An error and its remedies. The buttons are shown only while it is the newest part. */
export function ErrorPartView(props: { part: ErrorPart }): JSX.Element {
  const panel = usePanel();
  const isNewest = createIsNewest(() => props.part);
  const lacksKey = () => needsKey.has(props.part.code);
  const canAct = () => isNewest() && !panel.store.head.run.busy;
  return (
    <div class="part error" data-part="error" data-part-id={props.part.id}>
      <p class="message">
        <Icon name="cross" />
        <span dir="auto">
          <VisibleText text={props.part.message} />
        </span>
      </p>
      <Show when={canAct()}>
        <div class="actions">
          <Show when={lacksKey()}>
            <Button primary onPress={() => panel.post({ type: 'command', command: 'harness.setApiKey' })}>
              {strings.setApiKey}
            </Button>
            <Button onPress={() => panel.post({ type: 'command', command: 'harness.useDemo' })}>
              {strings.tryDemo}
            </Button>
          </Show>
          <Show when={props.part.retryable || lacksKey()}>
            <Button primary={!lacksKey()} onPress={() => panel.send({ type: 'run/continue' })}>
              {props.part.code === 'max_tokens' ? strings.continue : strings.retry}
            </Button>
          </Show>
          <Show when={needsModel.has(props.part.code)}>
            <Button onPress={() => panel.post({ type: 'command', command: 'harness.selectModel' })}>
              {strings.selectModel}
            </Button>
          </Show>
        </div>
      </Show>
    </div>
  );
}
