// Behaviour of the prompt's input. The text lives in the element alone: a key press costs no more than in a bare page.
import { actionOf, type ComposerAction } from './composer-keys.ts';
import { createPromptHistory } from './prompt-history.ts';
import { caretOf, growWithText, insertText, replaceText } from './text-input.ts';

export interface PromptInputOptions {
  /** Earlier prompts, oldest first. */
  history(): readonly string[];
  /** Why `text` cannot be sent now; empty where it can. */
  obstacleTo(text: string): string;
  onSubmit(text: string): void;
  onChange(text: string): void;
  onHint(hint: string): void;
  onHelp(): void;
  onScrollPage(direction: 1 | -1): void;
}

export interface PromptInput {
  submit(): void;
  /** At the caret, apart from the word before it. */
  insert(text: string): void;
}

export function createPromptInput(input: HTMLTextAreaElement, options: PromptInputOptions): PromptInput {
  const history = createPromptHistory(options.history);
  let isWalking = false;

  const noteChange = () => {
    growWithText(input);
    options.onChange(input.value);
  };
  const show = (text: string | undefined) => {
    if (text === undefined) return;
    isWalking = true;
    replaceText(input, text);
    isWalking = false;
  };
  const submit = () => {
    const text = input.value;
    const obstacle = options.obstacleTo(text);
    if (text.trim() === '') return;
    if (obstacle !== '') return options.onHint(obstacle);
    input.value = '';
    history.reset();
    noteChange();
    options.onSubmit(text);
  };
  const perform: Record<ComposerAction, () => void> = {
    send: submit,
    'break-line': () => insertText(input, '\n'),
    'older-prompt': () => show(history.older(input.value)),
    'newer-prompt': () => show(history.newer()),
    clear: () => replaceText(input, ''),
    help: options.onHelp,
    'page-up': () => options.onScrollPage(-1),
    'page-down': () => options.onScrollPage(1),
  };

  input.addEventListener('input', () => {
    if (!isWalking) history.reset();
    noteChange();
  });
  input.addEventListener('keydown', (event) => {
    const action = actionOf(event, caretOf(input));
    if (action === undefined) return;
    // Neither the browser nor VS Code shall act on it as well.
    event.preventDefault();
    event.stopPropagation();
    perform[action]();
  });
  return {
    submit,
    insert: (text) =>
      insertText(input, /\S$/.test(input.value.slice(0, input.selectionStart)) ? ` ${text}` : text),
  };
}
