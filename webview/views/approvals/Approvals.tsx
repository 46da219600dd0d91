import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { focusCard, focusNewCard, nextCard } from './approval-focus.ts';
import { PermissionCard } from './PermissionCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

/** The most cards that are drawn. The others appear when these are answered. */
const WHOLE = 3;
/** Milliseconds after a card has moved in which a click may be meant for the previous card. */
const GUARD = 400;

/** The pending approvals, in the order of the requests. */
export function Approvals(): JSX.Element {
  const panel = usePanel();
  const waiting = () => (panel.store.panel?.readOnly ? [] : panel.store.head.approvals);
  const whole = () => waiting().slice(0, WHOLE);
  const more = () => waiting().length - whole().length;
  const guard = createGuard();
  createEffect(
    on(
      () =>
        whole()
          .map(({ id }) => id)
          .join(),
      guard.close,
    ),
  );

  const goOn = (from: HTMLElement) => {
    const next = nextCard(from);
    guard.close();
    if (next) focusCard(next);
    else panel.input.focus();
  };
  return (
    <>
      <For each={whole()}>
        {(approval) => {
          const Card = approval.options ? QuestionCard : PermissionCard;
          return <Card approval={approval} isOpen={guard.isOpen()} onShown={focusNewCard} onLeave={goOn} />;
        }}
      </For>
      <Show when={more() > 0}>
        <p class="more-approvals meta">{strings.moreApprovals(more())}</p>
      </Show>
    </>
  );
}

/** Closes the cards to clicks, and reopens a moment after the last `close`. */
function createGuard(): { isOpen(): boolean; close(): void } {
  const [isOpen, setOpen] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  return {
    isOpen,
    close() {
      setOpen(false);
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(true), GUARD);
    },
  };
}
