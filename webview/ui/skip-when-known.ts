/**
 * Lets the browser skip `element` while it is out of sight, from when it has been laid out once: its height then stands
 * for it exactly. Skipped before, a guess would stand for it, and the page would jump when it comes into sight.
 */
export function skipWhenKnown(element: HTMLElement): void {
  requestAnimationFrame(() => requestAnimationFrame(() => element.classList.add('skippable')));
}
