import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';
import type { Decision } from '../../extension/protocol/events.ts';
import type { Approval } from '../../extension/protocol/head.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';
import { Icon } from '../ui/icons.tsx';
import { ScrollText } from '../ui/ScrollText.tsx';
import { VisibleText } from '../ui/VisibleText.tsx';
import { Changes } from './Changes.tsx';
import { usePanel } from './panel-context.ts';

/** Milliseconds after it has appeared in which a click was meant for what stood there before. */
const GUARD = 400;

const answers: readonly { decision: Decision; label: string; isRemembered: boolean }[] = [
  { decision: 'allow_once', label: strings.allowOnce, isRemembered: false },
  { decision: 'allow_session', label: strings.allowSession, isRemembered: true },
  { decision: 'allow_always', label: strings.allowAlways, isRemembered: true },
  { decision: 'deny', label: strings.deny, isRemembered: false },
];

/** A call that waits for the user: what it would do, how risky that is, and the four answers. */
export function PermissionCard(props: { approval: Approval }): JSX.Element {
  const panel = usePanel();
  const [isOpen, setOpen] = createSignal(false);
  let buttons: HTMLDivElement | undefined;

  onMount(() => {
    const timer = setTimeout(() => setOpen(true), GUARD);
    onCleanup(() => clearTimeout(timer));
    if (isFocusFree()) focusAnswer(buttons, props.approval.risk === 'high' ? 'deny' : 'allow_once');
  });
  const answer = (decision: Decision) => {
    if (!isOpen()) return;
    setOpen(false);
    panel.send({ type: 'permission/answer', id: props.approval.id, decision });
    panel.input.focus();
  };

  return (
    <fieldset
      class="part permission"
      aria-label={strings.approvalNeeded(visibleText(props.approval.action.title), props.approval.risk)}
      data-part="permission"
      data-part-id={props.approval.id}
      data-risk={props.approval.risk}
    >
      <Effect approval={props.approval} />
      <div class="answers" ref={buttons}>
        <Answers
          canRemember={props.approval.action.remember !== undefined}
          isOpen={isOpen()}
          onAnswer={answer}
        />
      </div>
    </fieldset>
  );
}

function Answers(props: {
  canRemember: boolean;
  isOpen: boolean;
  onAnswer: (decision: Decision) => void;
}): JSX.Element {
  const isPossible = (isRemembered: boolean) => props.canRemember || !isRemembered;
  return (
    <For each={answers}>
      {({ decision, label, isRemembered }) => (
        <button
          type="button"
          data-decision={decision}
          disabled={!isPossible(isRemembered)}
          title={isPossible(isRemembered) ? undefined : strings.cannotRemember}
          aria-disabled={!props.isOpen}
          onClick={() => props.onAnswer(decision)}
        >
          {label}
        </button>
      )}
    </For>
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
          <Changes call={props.approval.id} added={action().added ?? 0} removed={action().removed ?? 0} />
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

/** Focus is only moved where it disturbs nobody: within the page, from nowhere or from an input without a draft. */
function isFocusFree(): boolean {
  const focused = document.activeElement;
  if (!document.hasFocus()) return false;
  if (focused instanceof HTMLTextAreaElement) return focused.value === '';
  return focused === null || focused === document.body;
}

function focusAnswer(buttons: HTMLElement | undefined, decision: Decision): void {
  buttons?.querySelector<HTMLButtonElement>(`[data-decision="${decision}"]`)?.focus({ preventScroll: true });
}
