// Ctrl+R: searches earlier prompts for the typed text until the user chooses one or cancels, which restores
// the draft.
import { strings } from '../../../l10n/strings.ts';
import { replaceText } from '../input/text-input.ts';
import type { Popup, PopupChoice } from './popup.ts';

const MAX_FOUND = 50;

export interface HistorySearch {
  readonly isOn: boolean;
  begin(): void;
  /** Call when the text has changed. */
  follow(): void;
  /** Restores the draft. */
  leave(): void;
  /** Like `leave`, but without an undo step, and the focus stays in place. */
  abandon(): void;
}

/** `entries`: earlier prompts, oldest first. */
export function createHistorySearch(
  input: HTMLTextAreaElement,
  popup: Popup,
  entries: () => readonly string[],
  onEnd: () => void,
): HistorySearch {
  let draft: string | undefined;
  const placeholder = input.placeholder;

  const close = () => {
    draft = undefined;
    input.placeholder = placeholder;
    popup.hide();
  };
  const end = (text: string) => {
    close();
    replaceText(input, text);
    onEnd();
  };
  const choiceOf = (entry: string): PopupChoice => ({
    icon: 'history',
    label: entry,
    detail: '',
    take: () => end(entry),
  });
  const follow = () => popup.show(strings.historyList, matching(entries(), input.value).map(choiceOf));
  return {
    get isOn() {
      return draft !== undefined;
    },
    follow,
    begin() {
      draft = input.value;
      input.placeholder = strings.historySearch;
      replaceText(input, '');
      follow();
    },
    leave() {
      if (draft !== undefined) end(draft);
    },
    abandon() {
      if (draft === undefined) return;
      input.value = draft;
      close();
    },
  };
}

/** Newest first, each once. */
function matching(entries: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const found = entries.filter((entry) => entry.toLowerCase().includes(wanted));
  return [...new Set(found.reverse())].slice(0, MAX_FOUND);
}
