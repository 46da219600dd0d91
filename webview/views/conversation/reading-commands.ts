// Commands for reading the conversation: find, step through prompts and parts, copy.
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

/** Handles keys anywhere in the page. */
export function listenToReader(surroundings: Surroundings): void {
  const { panel, find, scroller } = surroundings;
  const stepPrompt = createPromptSteps(surroundings);
  const parts = createPartFocus(surroundings);
  find.attach(createFindPage(surroundings));

  /** An action returns false if it did not apply. */
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
    // The browser and VS Code must not handle the key, too.
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey);
  onCleanup(() => document.removeEventListener('keydown', onKey));
  // Runs before VS Code reads the description.
  scroller.addEventListener('contextmenu', describeForMenu, { capture: true });
  panel.listen(({ type }) => type === 'find/open' && find.open());
  keepInPlace(surroundings);
}

/** The find widget takes its space from above, so the text being read must stay in place. */
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

/** Describes the part under the context menu for VS Code, before the menu opens. */
export function describeForMenu(event: Event): void {
  const part = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part-id]') : null;
  const place = part && placeOf(part);
  if (part && place)
    part.dataset.vscodeContext = JSON.stringify({ webviewSection: 'harness.part', ...place });
}

// The keys for reading the conversation, anywhere in the panel.

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
  // On a Mac, Control has its own meaning in inputs.
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
