// Behavior of the prompt's input. Only the element stores the text, so a key press costs no more than in a
// bare page.

import type { InputCompletion } from './completion/input-completion.ts';
import { actionOf, type ComposerAction } from './input/composer-keys.ts';
import { caretOf, growWithText, insertText, replaceText } from './input/text-input.ts';
import { createPromptHistory } from './prompt-history.ts';

export interface PromptInputOptions {
  /** Earlier prompts, oldest first. */
  history(): readonly string[];
  readonly completion: InputCompletion;
  /**
   * Returns what to do with `text` after it has left the input; undefined if it must stay. `isSteer`: it is
   * for the current run.
   */
  decide(text: string, isSteer: boolean): (() => void) | undefined;
  /**
   * Not called during a search. `draft` is the text to store: `text`, or the draft that an earlier prompt
   * hides.
   */
  onChange(text: string, draft: string): void;
  onHelp(): void;
  onScrollPage(direction: 1 | -1): void;
}

export interface PromptInput {
  submit(isSteer?: boolean): void;
  /** Inserts at the caret, separated from the word before it. */
  insert(text: string): void;
  /** Replaces everything; the user can undo it. */
  replace(text: string): void;
  /** Like `replace`, but without an undo step, and the focus stays in place. */
  load(text: string): void;
  /** Puts an unsent text before the text typed since. */
  takeBack(text: string): void;
}

export function createPromptInput(input: HTMLTextAreaElement, options: PromptInputOptions): PromptInput {
  const { completion } = options;
  const history = createPromptHistory(options.history);
  let isTyping = true;

  const noteChange = () => {
    growWithText(input);
    if (!completion.isSearching) options.onChange(input.value, history.hiddenDraft() ?? input.value);
  };
  const show = (text: string | undefined) => {
    if (text === undefined) return;
    completion.close();
    isTyping = false;
    replaceText(input, text);
    isTyping = true;
  };
  const load = (text: string) => {
    completion.close();
    input.value = text;
    history.reset();
    noteChange();
  };
  const submit = (isSteer = false) => {
    if (completion.isSearching) return;
    const text = input.value;
    const act = options.decide(text, isSteer);
    if (!act) return;
    load('');
    act();
  };
  const perform: Record<ComposerAction, () => void> = {
    send: submit,
    steer: () => submit(true),
    'break-line': () => insertText(input, '\n'),
    'older-prompt': () => show(history.older(input.value)),
    'newer-prompt': () => show(history.newer()),
    clear: () => replaceText(input, ''),
    help: options.onHelp,
    'page-up': () => options.onScrollPage(-1),
    'page-down': () => options.onScrollPage(1),
  };

  input.addEventListener('input', (event) => {
    if (isTyping) history.reset();
    noteChange();
    if (isTyping && !(event instanceof InputEvent && event.isComposing)) completion.typed();
  });
  input.addEventListener('compositionend', () => completion.typed());
  input.addEventListener('keydown', (event) => {
    const isTaken = completion.press(event);
    const action = isTaken ? undefined : actionOf(event, caretOf(input));
    if (!isTaken && action === undefined) return;
    // The browser and VS Code must not handle the key, too.
    event.preventDefault();
    event.stopPropagation();
    if (action) perform[action]();
  });
  return {
    submit,
    load,
    replace(text) {
      history.reset();
      show(text);
    },
    insert(text) {
      completion.close();
      if (text === '') return;
      insertText(input, /\S$/.test(input.value.slice(0, input.selectionStart)) ? ` ${text}` : text);
    },
    takeBack(text) {
      completion.close();
      const typed = history.hiddenDraft() ?? input.value;
      load([text, typed].filter((part) => part !== '').join('\n'));
    },
  };
}
