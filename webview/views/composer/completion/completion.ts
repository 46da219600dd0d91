// One popup for the input: completion of mentions and commands, and the search in earlier prompts.
import type { KeyPress } from '../input/composer-keys.ts';
import type { CommandName } from './commands.ts';
import { createHistorySearch } from './history-search.ts';
import type { MentionSource } from './mentions.ts';
import type { Choice, Popup } from './popup.ts';
import { createTokenCompletion } from './token-completion.ts';

export interface CompletionOptions {
  readonly popup: Popup;
  readonly source: MentionSource;
  /** Earlier prompts, oldest first. */
  history(): readonly string[];
  run(name: CommandName): void;
}

export interface Completion {
  /** What stands in the input is being looked for, and is no draft. */
  readonly isSearching: boolean;
  /** True where the key was for the popup. */
  press(press: KeyPress): boolean;
  /** The user has changed the text, and no input method is at work on it. */
  typed(): void;
  /** The text becomes another, which nobody has typed. The input has the draft again where something was looked for. */
  close(): void;
}

/** keyCode of a key that an input method works on. */
const IME_KEY = 229;

export function createCompletion(input: HTMLTextAreaElement, options: CompletionOptions): Completion {
  const { popup } = options;
  const tokens = createTokenCompletion(input, popup, options.source, options.run);
  const search = createHistorySearch(input, popup, options.history, tokens.dismiss);

  const leave = () => (search.isOn ? search.leave() : tokens.dismiss());
  const accept = (choose: (choice: Choice) => void) => {
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
      // A list that was asked for may be on its way.
      if (press.key === 'Escape' && !isOpen) tokens.dismiss();
      return act !== undefined;
    },
    typed: () => (search.isOn ? search.follow() : tokens.follow(true)),
    close,
  };
}
