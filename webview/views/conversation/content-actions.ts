// Handles links and copy buttons in rendered Markdown, which has no components.

import { strings } from '../../l10n/strings.ts';
import { sourceOf } from '../../markdown/code-source.ts';

/** Milliseconds for which a copy button confirms the copy. */
const CONFIRMATION = 1_500;

export interface ContentActions {
  openLink(address: string): void;
  /** `line` and `column` from 1. */
  openFile(path: string, line?: number, column?: number): void;
  /** Called before the focus leaves `from`. */
  onTab(from: Element, isBackwards: boolean): void;
  /** Called before something opens or closes. */
  onToggle(): void;
}

/** Handles clicks and Enter in `content`. */
export function listenToContent(content: HTMLElement, actions: ContentActions): void {
  const act = (target: EventTarget | null) => {
    if (!(target instanceof Element)) return;
    const address = target.closest('a[data-href]')?.getAttribute('data-href');
    if (address) actions.openLink(address);
    const place = target.closest<HTMLElement>('a[data-path]')?.dataset;
    if (place?.path) actions.openFile(place.path, numberOf(place.line), numberOf(place.column));
    const copy = target.closest<HTMLElement>('[data-copy]');
    if (copy) void copyCode(copy);
  };
  content.addEventListener('click', ({ target }) => act(target));
  content.addEventListener('click', ({ target }) => isToggle(target) && actions.onToggle(), {
    capture: true,
  });
  content.addEventListener('keydown', ({ key, target, shiftKey }) => {
    if (key === 'Enter' && target instanceof HTMLAnchorElement) act(target);
    // The browser then finds its next focus target there.
    if (key === 'Tab' && target instanceof Element) actions.onTab(target, shiftKey);
  });
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function isToggle(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[aria-expanded]') !== null;
}

async function copyCode(button: HTMLElement): Promise<void> {
  const figure = button.closest('figure');
  const isCopied = await navigator.clipboard.writeText(figure ? sourceOf(figure) : '').then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? strings.copied : strings.notCopied;
  setTimeout(() => {
    button.textContent = strings.copy;
  }, CONFIRMATION);
}
