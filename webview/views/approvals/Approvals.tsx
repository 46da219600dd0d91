import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { focusCard, focusNewCard, nextCard } from './approval-focus.ts';
import { PermissionCard } from './PermissionCard.tsx';

/** Cards that are drawn; the others come up when these are answered. */
const WHOLE = 3;
/** Milliseconds after something has moved in which a click was meant for what stood there before. */
const GUARD = 400;

/** What waits for the user, in the order in which it was asked. */
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
        {(approval) => (
          <PermissionCard approval={approval} isOpen={guard.isOpen()} onShown={focusNewCard} onLeave={goOn} />
        )}
      </For>
      <Show when={more() > 0}>
        <p class="more-approvals meta">{strings.moreApprovals(more())}</p>
      </Show>
    </>
  );
}

/** Opens by itself a moment after it was closed last. */
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
