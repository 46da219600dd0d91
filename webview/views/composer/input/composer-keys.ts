// Maps keys in the input to actions. Leaves other keys to the browser and VS Code.

export interface KeyPress {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

export interface Caret {
  readonly isEmpty: boolean;
  isOnFirstRow(): boolean;
  isOnLastRow(): boolean;
}

export type ComposerAction =
  | 'send'
  | 'steer'
  | 'break-line'
  | 'older-prompt'
  | 'newer-prompt'
  | 'clear'
  | 'help'
  | 'page-up'
  | 'page-down';

/** The keyCode of a key that an input method handles. Some browsers send it after `isComposing` has ended. */
const IME_KEY = 229;

export function actionOf(press: KeyPress, caret: Caret): ComposerAction | undefined {
  if (press.isComposing || press.keyCode === IME_KEY) return undefined;
  if (press.key === 'Enter') return enterAction(press);
  if (press.altKey) return undefined;
  if (press.ctrlKey || press.metaKey)
    return press.ctrlKey && press.key.toLowerCase() === 'u' ? 'clear' : undefined;
  if (press.key === '?') return caret.isEmpty ? 'help' : undefined;
  return press.shiftKey ? undefined : plainAction(press.key, caret);
}

function enterAction({ ctrlKey, metaKey, shiftKey, altKey }: KeyPress): ComposerAction | undefined {
  if (altKey) return ctrlKey || metaKey || shiftKey ? undefined : 'steer';
  if (ctrlKey || metaKey) return 'break-line';
  return shiftKey ? undefined : 'send';
}

function plainAction(key: string, caret: Caret): ComposerAction | undefined {
  if (key === 'ArrowUp') return caret.isOnFirstRow() ? 'older-prompt' : undefined;
  if (key === 'ArrowDown') return caret.isOnLastRow() ? 'newer-prompt' : undefined;
  if (key === 'PageUp') return 'page-up';
  return key === 'PageDown' ? 'page-down' : undefined;
}
