// Searches the conversation. The host searches the whole log; the page goes to the matches.
import { type Accessor, batch, createEffect, createSignal, on, untrack } from 'solid-js';
import type { FindMatch, FindOptions } from '../../../extension/protocol/find-messages.ts';
import { findPattern } from '../../../extension/protocol/find-pattern.ts';
import type { Panel } from '../../state/panel.ts';
import {
  type FoundMatches,
  firstFrom,
  indexOfMatch,
  nothingFound,
  type PartPlace,
  withResults,
} from './found-matches.ts';

/** The operations of a search on the page. */
export interface FindPage {
  /** The part that the user is reading. */
  reading(): PartPlace;
  /** The ids of a section's parts, in order. */
  partsOf(section: number): string[];
  /** Goes to a match. */
  show(found: FoundMatches, index: number, pattern: RegExp): void;
  /** Highlights the matches of `pattern`; without one, removes the highlights. */
  mark(pattern: RegExp | undefined): void;
}

export interface Find {
  isOpen: Accessor<boolean>;
  query: Accessor<string>;
  options: Accessor<FindOptions>;
  found: Accessor<FoundMatches>;
  /** Index of the match that the user went to; -1 for none. */
  current: Accessor<number>;
  /** The query is not a valid regular expression. */
  isInvalid: Accessor<boolean>;
  attach(page: FindPage): void;
  /** Opens with the selected words, if any. `close` returns the focus to its previous element. */
  open(): void;
  /** Returns false if it is already closed. */
  close(): boolean;
  search(query: string): void;
  toggle(option: keyof FindOptions): void;
  step(direction: -1 | 1): void;
  /** Called each time it is opened, even if it was open. */
  onOpen(focus: () => void): void;
}

/** The most characters of a selection that becomes the query. */
const LONGEST_SELECTION = 200;

export function createFind(panel: Panel): Find {
  const [isOpen, setOpen] = createSignal(false);
  const [query, setQuery] = createSignal('');
  const [options, setOptions] = createSignal<FindOptions>({
    matchCase: false,
    wholeWord: false,
    regex: false,
  });
  const [found, setFound] = createSignal(nothingFound);
  const [current, setCurrent] = createSignal(-1);
  let page: FindPage | undefined;
  let focusInput = () => {};
  let focusBefore: Element | null = null;
  let request = 0;
  /** The place where the next search starts. */
  let from: PartPlace = { section: 0, part: '' };
  /** The match before the search was restarted. If it is set, the reader stays in place. */
  let before: FindMatch | 'none' | undefined;

  const pattern = () => findPattern(query(), options());
  const goTo = (index: number) => {
    setCurrent(index);
    const match = found().matches[index];
    const expression = pattern();
    if (!match || !expression) return;
    from = match;
    page?.show(found(), index, expression);
  };
  const mark = () => {
    const isSafe = !options().regex || (found().isComplete && found().error === undefined);
    page?.mark(isOpen() && isSafe ? pattern() : undefined);
  };
  const begin = (kept?: FindMatch | 'none') => {
    before = kept;
    batch(() => {
      setFound(nothingFound);
      setCurrent(-1);
    });
    request += 1;
    if (isOpen() && pattern())
      panel.send({ type: 'find/start', request, query: query(), options: options() });
    else panel.send({ type: 'find/stop' });
    mark();
  };
  /** Selects the match at which a search starts, once it is known. */
  const choose = () => {
    if (before === 'none') return;
    if (before !== undefined) {
      setCurrent(indexOfMatch(found(), before));
      return;
    }
    const index = firstFrom(found(), from, page?.partsOf(from.section) ?? []);
    if (index >= 0) goTo(index);
  };
  panel.listen((message) => {
    if (message.type !== 'find/results' || message.request !== request || !isOpen()) return;
    setFound(withResults(found(), message));
    if (current() < 0) choose();
    setCurrent(Math.min(current(), found().matches.length - 1));
    mark();
  });
  // For another session, or for a page that may have missed results of the host.
  const beginAgain = () => {
    if (isOpen()) begin(found().matches[current()] ?? before ?? 'none');
  };
  createEffect(
    on(
      () => panel.store.snapshots,
      () => untrack(beginAgain),
      { defer: true },
    ),
  );

  return {
    isOpen,
    query,
    options,
    found,
    current,
    isInvalid: () => query() !== '' && pattern() === undefined,
    attach(attached) {
      page = attached;
    },
    open() {
      const selected = selectedWords();
      if (!isOpen()) {
        focusBefore = document.activeElement;
        from = page?.reading() ?? from;
        setOpen(true);
      }
      if (selected !== '') setQuery(selected);
      focusInput();
      begin();
    },
    close() {
      if (!isOpen()) return false;
      setOpen(false);
      begin();
      giveFocusBack(focusBefore, panel);
      return true;
    },
    search(words) {
      setQuery(words);
      begin();
    },
    toggle(option) {
      setOptions({ ...options(), [option]: !options()[option] });
      begin();
    },
    step(direction) {
      const { length } = found().matches;
      const index = current() < 0 && direction < 0 ? 0 : current();
      if (length > 0) goTo((index + direction + length) % length);
    },
    onOpen(focus) {
      focusInput = focus;
    },
  };
}

function selectedWords(): string {
  const words = getSelection()?.toString() ?? '';
  return words.length <= LONGEST_SELECTION && !words.trim().includes('\n') ? words.trim() : '';
}

function giveFocusBack(element: Element | null, panel: Panel): void {
  if (!document.hasFocus()) return;
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
  else panel.input.focus();
}
