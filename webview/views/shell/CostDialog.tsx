import { createSignal, For, type JSX, onMount, Show } from 'solid-js';
import type { Ledger, ModelLedger } from '../../../extension/protocol/ledger.ts';
import { number } from '../../l10n/l10n.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';

/** The session's usage, shown when the host has sent it. */
export function CostDialog(): JSX.Element {
  const panel = usePanel();
  const [ledger, show] = createSignal<Ledger>();
  panel.listen((message) => {
    if (message.type === 'cost' && message.session === panel.store.panel?.session) show(message.ledger);
  });
  const close = () => {
    show(undefined);
    panel.input.focus();
  };
  return <Show when={ledger()}>{(shown) => <Dialog ledger={shown()} onClose={close} />}</Show>;
}

function Dialog(props: { ledger: Ledger; onClose: () => void }): JSX.Element {
  let dialog: HTMLDialogElement | undefined;
  onMount(() => dialog?.showModal());
  return (
    <dialog
      ref={dialog}
      // biome-ignore lint/a11y/noRedundantRoles: the attribute is what other programs look for.
      role="dialog"
      class="help cost"
      aria-label={strings.costTitle}
      // Esc closes only this dialog.
      onKeyDown={(event) => event.stopPropagation()}
      on:close={() => props.onClose()}
    >
      <h2>{strings.costTitle}</h2>
      <dl>
        <Entry name={strings.prompts} value={String(props.ledger.prompts)} />
        <Entry name={strings.runTime} value={strings.duration(props.ledger.milliseconds / 1_000)} />
      </dl>
      <Show when={props.ledger.isFork}>
        <p class="meta">{strings.costOfFork}</p>
      </Show>
      <For each={props.ledger.models}>{(model) => <ModelCost model={model} />}</For>
      <button type="button" class="quiet" onClick={() => dialog?.close()}>
        {strings.close}
      </button>
    </dialog>
  );
}

/** A count of tokens, as far as the provider reported it. */
function tokens(count: number, { requests, unreported = 0, estimated }: ModelLedger): string {
  if (unreported >= requests) return strings.unknownCost;
  if (unreported > 0) return strings.atLeast(count);
  return estimated ? strings.about(count) : number(count);
}

function ModelCost(props: { model: ModelLedger }): JSX.Element {
  return (
    <>
      <h3>{`${props.model.provider}/${props.model.model}`}</h3>
      <dl>
        <Entry name={strings.requests} value={number(props.model.requests)} />
        <Entry name={strings.inputTokens} value={tokens(props.model.inputTokens, props.model)} />
        <Entry name={strings.cacheReadTokens} value={tokens(props.model.cacheReadTokens, props.model)} />
        <Entry name={strings.cacheWriteTokens} value={tokens(props.model.cacheWriteTokens, props.model)} />
        <Entry name={strings.outputTokens} value={tokens(props.model.outputTokens, props.model)} />
        <Entry
          name={strings.costTitle}
          value={props.model.cost === undefined ? strings.unknownCost : strings.cost(props.model.cost)}
        />
      </dl>
    </>
  );
}

function Entry(props: { name: string; value: string }): JSX.Element {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </>
  );
}
