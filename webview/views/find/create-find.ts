// Finding in the conversation: the host searches the whole log, the page goes to what it finds.
import { type Accessor, batch, createEffect, createSignal, on, untrack } from 'solid-js';
import type { FindMatch, FindOptions } from '../../../extension/protocol/find-messages.ts';
import { findPattern } from '../../../extension/protocol/find-pattern.ts';
import type { Panel } from '../../state/panel.ts';
import { type Found, firstFrom, indexOfMatch, nothingFound, type Place, withResults } from './found.ts';

/** What finding does with the page. */
export interface FindPage {
  /** The part that is being read. */
  reading(): Place;
  /** The ids of a section's parts, in order. */
  partsOf(section: number): string[];
  /** Goes to a match. */
  show(found: Found, index: number, pattern: RegExp): void;
  /** Shows where `pattern` matches; without one, nothing any more. */
  mark(pattern: RegExp | undefined): void;
}

export interface Find {
  isOpen: Accessor<boolean>;
  query: Accessor<string>;
  options: Accessor<FindOptions>;
  found: Accessor<Found>;
  /** Index of the match that was gone to; -1 for none. */
  current: Accessor<number>;
  /** The query is no regular expression. */
  isInvalid: Accessor<boolean>;
  attach(page: FindPage): void;
  /** With the words that are selected, if any. Whoever has the focus gets it back from `close`. */
  open(): void;
  /** False where it is closed already. */
  close(): boolean;
  search(query: string): void;
  toggle(option: keyof FindOptions): void;
  step(direction: -1 | 1): void;
  /** Called each time that it is opened, also when it is open. */
  onOpen(focus: () => void): void;
}

/** Characters of a selection that is taken for a query. */
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
  /** From where the next search goes on. */
  let from: Place = { section: 0, part: '' };
  /** The match that was gone to before the search was begun again: then the reader goes nowhere. */
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
  /** The match at which a search begins, once it is known. */
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
  // Another session, or a page that may have missed what the host has found since.
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
