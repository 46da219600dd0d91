import { placeOf } from './part-focus.ts';

/** Tells VS Code, whose context menu is about to open on a part, which one it is. */
export function describeForMenu(event: Event): void {
  const part = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part-id]') : null;
  const place = part && placeOf(part);
  if (part && place)
    part.dataset.vscodeContext = JSON.stringify({ webviewSection: 'harness.part', ...place });
}
