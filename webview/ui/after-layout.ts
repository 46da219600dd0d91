/** Calls back when the page has been laid out and drawn as it is now. */
export function afterLayout(callback: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(callback));
}

/**
 * Lets the browser skip `element` while it is out of sight, from when it has been laid out once: its height then stands
 * for it exactly. Skipped before, a guess would stand for it, and the page would jump when it comes into sight.
 */
export function skipWhenKnown(element: HTMLElement): void {
  afterLayout(() => element.classList.add('skippable'));
}
