// The popup of the input: completes mentions and commands, and searches earlier prompts.
import type { KeyPress } from '../input/composer-keys.ts';
import type { SlashCommand } from './commands.ts';
import { createHistorySearch } from './history-search.ts';
import type { MentionSource } from './mentions.ts';
import type { Popup, PopupChoice } from './popup.ts';
import { createTokenCompletion } from './token-completion.ts';

export interface CompletionOptions {
  readonly popup: Popup;
  readonly source: MentionSource;
  /** Earlier prompts, oldest first. */
  history(): readonly string[];
  run(name: SlashCommand): void;
}

export interface InputCompletion {
  /** Whether the input contains a search query instead of a draft. */
  readonly isSearching: boolean;
  /** Returns true if the popup handled the key. */
  press(press: KeyPress): boolean;
  /** Call when the user has changed the text and no input method is active. */
  typed(): void;
  /** Call when the text changes without typing. After a search, the input contains the draft again. */
  close(): void;
}

/** The keyCode of a key that an input method handles. */
const IME_KEY = 229;

export function createInputCompletion(
  input: HTMLTextAreaElement,
  options: CompletionOptions,
): InputCompletion {
  const { popup } = options;
  const tokens = createTokenCompletion(input, popup, options.source, options.run);
  const search = createHistorySearch(input, popup, options.history, tokens.dismiss);

  const leave = () => (search.isOn ? search.leave() : tokens.dismiss());
  const accept = (choose: (choice: PopupChoice) => void) => {
    const choice = popup.current();
    if (choice) choose(choice);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => popup.move(1),
    ArrowUp: () => popup.move(-1),
    Enter: () => accept((choice) => choice.take()),
    Tab: () => accept((choice) => (choice.complete ?? choice.take)()),
    Escape: leave,
  };
  const searchOlder = () => {
    if (search.isOn) return popup.move(1);
    tokens.close();
    search.begin();
  };

  const close = () => {
    search.abandon();
    tokens.close();
  };

  input.addEventListener('blur', close);
  input.addEventListener('selectionchange', () => {
    if (popup.label() !== '' && !search.isOn) tokens.follow(false);
  });
  return {
    get isSearching() {
      return search.isOn;
    },
    press(press) {
      if (press.isComposing || press.keyCode === IME_KEY || press.altKey || press.metaKey) return false;
      if (press.ctrlKey) {
        if (press.key.toLowerCase() !== 'r' || input.readOnly) return false;
        searchOlder();
        return true;
      }
      const isOpen = popup.label() !== '';
      const act = press.shiftKey || !isOpen ? undefined : keys[press.key];
      act?.();
      // A requested list may still be on its way.
      if (press.key === 'Escape' && !isOpen) tokens.dismiss();
      return act !== undefined;
    },
    typed: () => (search.isOn ? search.follow() : tokens.follow(true)),
    close,
  };
}
