// A textarea whose changes can be undone, and where its caret is.
import type { Caret } from './composer-keys.ts';

/** Puts `text` in the place of everything; the user can undo it. */
export function replaceText(input: HTMLTextAreaElement, text: string): void {
  input.focus();
  input.select();
  insertText(input, text);
}

/**
 * Puts `text` at the caret; the user can undo it. `execCommand` is deprecated, but the only way that keeps a textarea's
 * undo history.
 */
export function insertText(input: HTMLTextAreaElement, text: string): void {
  input.focus();
  const done = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!done && text !== '' && !input.readOnly)
    input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
}

export function caretOf(input: HTMLTextAreaElement): Caret {
  const { value, selectionStart, selectionEnd } = input;
  return {
    isEmpty: value === '',
    isOnFirstRow: () => selectionStart === selectionEnd && isFirstRow(input, value.slice(0, selectionStart)),
    isOnLastRow: () => selectionStart === selectionEnd && isLastRow(input, value, selectionEnd),
  };
}

function isFirstRow(input: HTMLTextAreaElement, before: string): boolean {
  return !before.includes('\n') && fitsOneRow(input, before);
}

function isLastRow(input: HTMLTextAreaElement, value: string, caret: number): boolean {
  if (value.includes('\n', caret)) return false;
  return caret === value.length || fitsOneRow(input, value.slice(value.lastIndexOf('\n') + 1));
}

function fitsOneRow(input: HTMLTextAreaElement, text: string): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return text === '';
  const { font, paddingLeft, paddingRight } = getComputedStyle(input);
  context.font = font;
  const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return context.measureText(text).width <= room;
}

/** Lets the input grow with its text where the browser cannot by itself; style.css holds the limits. */
export function growWithText(input: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}
