// Moves the focus between the pending cards.

/** The next card without an answer; after the last one, a skipped one. */
export function nextCard(from: HTMLElement): HTMLElement | undefined {
  const cards = [...(from.parentElement?.querySelectorAll<HTMLElement>('.permission') ?? [])];
  const waiting = cards.filter((card) => card !== from && card.dataset.answered === undefined);
  const isBehind = (card: HTMLElement) => cards.indexOf(card) > cards.indexOf(from);
  return waiting.find(isBehind) ?? waiting[0];
}

/**
 * Whether the keyboard focus is in `element`. While the editor has it, the page still reports its last
 * focused element.
 */
export function hasFocusWithin(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}

/**
 * Moves the focus only if that does not disturb the user: within the page, and from nothing or from an input
 * without a draft.
 */
export function focusNewCard(card: HTMLElement): void {
  const focused = document.activeElement;
  const isWriting = focused instanceof HTMLTextAreaElement && focused.value !== '';
  const isElsewhere =
    focused !== null && focused !== document.body && !(focused instanceof HTMLTextAreaElement);
  if (document.hasFocus() && !isWriting && !isElsewhere) focusCard(card);
}

/** Focuses an answer, but never one that allows a dangerous action. In a question, the first way to answer. */
export function focusCard(card: HTMLElement): void {
  const answer = card.dataset.risk === 'high' ? 'deny' : 'allow_once';
  card
    .querySelector<HTMLElement>(`[data-decision="${answer}"], [data-answer]`)
    ?.focus({ preventScroll: true });
  // Several cards may be higher than the view, which scrolls to their end after layout.
  requestAnimationFrame(() => requestAnimationFrame(() => showWhole(card)));
}

function showWhole(card: HTMLElement): void {
  const room = card.closest('[role="log"]')?.clientHeight ?? 0;
  if (card.offsetHeight <= room) card.scrollIntoView({ block: 'nearest' });
}
