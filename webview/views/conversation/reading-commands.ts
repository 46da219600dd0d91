// What a reader does in the conversation besides scrolling: find, go from prompt to prompt and from part to part, copy.
import { createEffect, on, onCleanup } from 'solid-js';
import type { Panel } from '../../state/panel.ts';
import type { Find } from '../find/create-find.ts';
import { isLetter } from '../find/find-keys.ts';
import { createFindPage } from '../find/find-page.ts';
import type { Reveal } from '../scrolling/reveal.ts';
import type { Follow } from '../scrolling/stick-to-end.ts';
import { createPartFocus, placeOf } from './part-focus.ts';
import { createPromptSteps } from './prompt-steps.ts';

interface Surroundings {
  readonly panel: Panel;
  readonly follow: Follow;
  readonly find: Find;
  readonly reveal: Reveal;
  readonly scroller: HTMLElement;
}

/** Acts on keys wherever in the page the focus is. */
export function listenToReader(surroundings: Surroundings): void {
  const { panel, find, scroller } = surroundings;
  const stepPrompt = createPromptSteps(surroundings);
  const parts = createPartFocus(surroundings);
  find.attach(createFindPage(surroundings));

  /** False where the key means nothing here after all. */
  const perform: Record<ReadingAction, () => unknown> = {
    find: () => find.open(),
    'next-match': () => find.isOpen() && find.step(1),
    'previous-match': () => find.isOpen() && find.step(-1),
    'next-prompt': () => stepPrompt(1),
    'previous-prompt': () => stepPrompt(-1),
    'next-part': () => parts.step(1),
    'previous-part': () => parts.step(-1),
    'copy-part': () => parts.copy(),
  };
  const onKey = (event: KeyboardEvent) => {
    const action = event.defaultPrevented || event.isComposing ? undefined : readingAction(event);
    if (action === undefined || perform[action]() === false) return;
    // Neither the browser nor VS Code shall act on it as well.
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey);
  onCleanup(() => document.removeEventListener('keydown', onKey));
  // Before VS Code reads what it is told.
  scroller.addEventListener('contextmenu', describeForMenu, { capture: true });
  panel.listen(({ type }) => type === 'find/open' && find.open());
  keepInPlace(surroundings);
}

/** The widget takes its room from above; what is read stays where it is. */
function keepInPlace({ find, follow, scroller }: Surroundings): void {
  let height = 0;
  createEffect(
    on(
      find.isOpen,
      (isOpen) => {
        if (isOpen) height = scroller.parentElement?.querySelector<HTMLElement>('.find')?.offsetHeight ?? 0;
        if (!follow.isFollowing()) scroller.scrollTop += isOpen ? height : -height;
      },
      { defer: true },
    ),
  );
}

/** Tells VS Code, whose context menu is about to open on a part, which one it is. */
export function describeForMenu(event: Event): void {
  const part = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part-id]') : null;
  const place = part && placeOf(part);
  if (part && place)
    part.dataset.vscodeContext = JSON.stringify({ webviewSection: 'harness.part', ...place });
}

// The keys by which a reader moves in the conversation, wherever in the panel the focus is.

export type ReadingAction =
  | 'find'
  | 'next-match'
  | 'previous-match'
  | 'next-prompt'
  | 'previous-prompt'
  | 'next-part'
  | 'previous-part'
  | 'copy-part';

const isMac = navigator.platform.startsWith('Mac');

export function readingAction(event: KeyboardEvent): ReadingAction | undefined {
  if (event.key === 'F3' && !event.ctrlKey && !event.metaKey && !event.altKey)
    return event.shiftKey ? 'previous-match' : 'next-match';
  if (event.shiftKey) return undefined;
  if (event.altKey) return event.ctrlKey || event.metaKey ? undefined : withAlt(event);
  // Control has a meaning of its own in a Mac's inputs.
  if (isMac ? !event.metaKey || event.ctrlKey : !event.ctrlKey || event.metaKey) return undefined;
  if (isLetter(event, 'f')) return 'find';
  return isLetter(event, 'c') ? 'copy-part' : undefined;
}

function withAlt(event: KeyboardEvent): ReadingAction | undefined {
  if (event.key === 'ArrowUp') return 'previous-prompt';
  if (event.key === 'ArrowDown') return 'next-prompt';
  if (isLetter(event, 'j')) return 'next-part';
  return isLetter(event, 'k') ? 'previous-part' : undefined;
}
