// Changes a textarea so that the user can undo it, and reads its caret.
import type { Caret } from './composer-keys.ts';

/** Replaces everything with `text`; the user can undo it. */
export function replaceText(input: HTMLTextAreaElement, text: string): void {
  input.focus();
  input.select();
  insertText(input, text);
}

/**
 * Characters from which `execCommand` takes too long. In Chromium, its time grows with the square of the
 * lines.
 */
const LONG_TEXT = 4_000;

/**
 * Inserts `text` at the caret, even if the input is read-only now, because the text is the user's. They can
 * undo it, unless it is long. `execCommand` is deprecated, but only it keeps a textarea's undo history.
 */
export function insertText(input: HTMLTextAreaElement, text: string): void {
  input.focus();
  if (text.length < LONG_TEXT && insertUndoably(text)) return;
  input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

function insertUndoably(text: string): boolean {
  return text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
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

/** Makes the input grow with its text in browsers without `field-sizing`. style.css has the limits. */
export function growWithText(input: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}
