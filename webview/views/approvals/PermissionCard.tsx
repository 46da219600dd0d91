import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';
import type { Decision } from '../../../extension/protocol/events.ts';
import type { Approval } from '../../../extension/protocol/head.ts';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { Icon } from '../../ui/icons.tsx';
import { ScrollText } from '../../ui/ScrollText.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { ChangeCounts } from '../common/ChangeCounts.tsx';
import { hasFocusWithin } from './approval-focus.ts';

const answers: readonly { decision: Decision; label: string; isRemembered: boolean }[] = [
  { decision: 'allow_once', label: strings.allowOnce, isRemembered: false },
  { decision: 'allow_session', label: strings.allowSession, isRemembered: true },
  { decision: 'allow_always', label: strings.allowAlways, isRemembered: true },
  { decision: 'deny', label: strings.deny, isRemembered: false },
];

export interface CardProperties {
  readonly approval: Approval;
  /** Whether the user can answer it now. */
  readonly isOpen: boolean;
  onShown(card: HTMLElement): void;
  /** Called when the card has its answer, or disappears without one while it has the focus. */
  onLeave(card: HTMLElement): void;
}

/** A pending call: what it would do, how risky that is, and the four answers. */
export function PermissionCard(props: CardProperties): JSX.Element {
  const panel = usePanel();
  const [isAnswered, setAnswered] = createSignal(false);
  const isOpen = () => props.isOpen && !isAnswered();
  let card!: HTMLFieldSetElement;
  let reason!: HTMLInputElement;
  onMount(() => props.onShown(card));
  onCleanup(() => hasFocusWithin(card) && props.onLeave(card));
  const answer = (decision: Decision) => {
    if (!isOpen()) return;
    setAnswered(true);
    const said = decision === 'deny' ? reason.value.trim() : '';
    panel.send({
      type: 'permission/answer',
      id: props.approval.id,
      decision,
      ...(said !== '' && { reason: said }),
    });
    props.onLeave(card);
  };

  return (
    <fieldset
      class="part permission"
      aria-label={strings.approvalNeeded(visibleText(props.approval.action.title), props.approval.risk)}
      data-part="permission"
      data-part-id={props.approval.id}
      data-risk={props.approval.risk}
      data-answered={isAnswered() ? '' : undefined}
      ref={card}
    >
      <Effect approval={props.approval} />
      <Answers
        canRemember={props.approval.action.remember !== undefined}
        isOpen={isOpen()}
        onAnswer={answer}
      />
      <input
        type="text"
        class="deny-reason"
        ref={reason}
        aria-label={strings.denyReason}
        placeholder={strings.denyReason}
        maxLength={1_000}
        dir="auto"
        readOnly={isAnswered()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.repeat || event.isComposing || reason.value.trim() === '')
            return;
          event.preventDefault();
          answer('deny');
        }}
      />
    </fieldset>
  );
}

/** A key that is held down gives only one answer, because the next card asks another question. */
function Answers(props: {
  canRemember: boolean;
  isOpen: boolean;
  onAnswer: (decision: Decision) => void;
}): JSX.Element {
  const isPossible = (isRemembered: boolean) => props.canRemember || !isRemembered;
  return (
    <div class="answers">
      <For each={answers}>
        {({ decision, label, isRemembered }) => (
          <button
            type="button"
            data-decision={decision}
            disabled={!isPossible(isRemembered)}
            title={isPossible(isRemembered) ? undefined : strings.cannotRemember}
            aria-disabled={!props.isOpen}
            onClick={() => props.onAnswer(decision)}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
          >
            {label}
          </button>
        )}
      </For>
    </div>
  );
}

function Effect(props: { approval: Approval }): JSX.Element {
  const action = () => props.approval.action;
  return (
    <>
      <div class="permission-head">
        <span class="title">
          <VisibleText text={action().title} strict />
        </span>
        <span class="risk">
          <Icon name="warning" />
          {strings.riskWord(props.approval.risk)}
        </span>
      </div>
      <ScrollText class="effect" label={strings.effect} text={action().detail} strict />
      <Show when={action().added !== undefined}>
        <p class="line">
          <ChangeCounts
            call={props.approval.id}
            added={action().added ?? 0}
            removed={action().removed ?? 0}
          />
        </p>
      </Show>
      <For each={action().warnings}>
        {(warning) => (
          <p class="warning">
            <Icon name="warning" />
            <VisibleText text={warning} strict />
          </p>
        )}
      </For>
      <Show when={action().remember}>
        {(covered) => (
          <p class="meta">
            <VisibleText text={strings.covers(covered())} strict />
          </p>
        )}
      </Show>
    </>
  );
}
