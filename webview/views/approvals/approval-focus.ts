// Which card of those that wait for an answer has the focus.

/** The next one without an answer; after the last, one that was passed over. */
export function nextCard(from: HTMLElement): HTMLElement | undefined {
  const cards = [...(from.parentElement?.querySelectorAll<HTMLElement>('.permission') ?? [])];
  const waiting = cards.filter((card) => card !== from && card.dataset.answered === undefined);
  const isBehind = (card: HTMLElement) => cards.indexOf(card) > cards.indexOf(from);
  return waiting.find(isBehind) ?? waiting[0];
}

/** Whether the keyboard is there. While it is in the editor, the page still names what had its focus last. */
export function hasFocusWithin(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}

/** Focus is only moved where it disturbs nobody: within the page, from nowhere or from an input without a draft. */
export function focusNewCard(card: HTMLElement): void {
  const focused = document.activeElement;
  const isWriting = focused instanceof HTMLTextAreaElement && focused.value !== '';
  const isElsewhere =
    focused !== null && focused !== document.body && !(focused instanceof HTMLTextAreaElement);
  if (document.hasFocus() && !isWriting && !isElsewhere) focusCard(card);
}

/** Gives the focus to an answer, never to one that allows something dangerous. */
export function focusCard(card: HTMLElement): void {
  const answer = card.dataset.risk === 'high' ? 'deny' : 'allow_once';
  card.querySelector<HTMLElement>(`[data-decision="${answer}"]`)?.focus({ preventScroll: true });
  // Several cards may be higher than the view, which has gone to their end once they are laid out.
  requestAnimationFrame(() => requestAnimationFrame(() => showWhole(card)));
}

function showWhole(card: HTMLElement): void {
  const room = card.closest('[role="log"]')?.clientHeight ?? 0;
  if (card.offsetHeight <= room) card.scrollIntoView({ block: 'nearest' });
}
