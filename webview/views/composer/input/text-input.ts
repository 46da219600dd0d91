// A textarea whose changes can be undone, and where its caret is.
import type { Caret } from './composer-keys.ts';

/** Puts `text` in the place of everything; the user can undo it. */
export function replaceText(input: HTMLTextAreaElement, text: string): void {
  input.focus();
  input.select();
  insertText(input, text);
}

/** Characters from which on `execCommand` takes too long: in Chromium its time grows with the square of the lines. */
const LONG_TEXT = 4_000;

/**
 * Puts `text` at the caret, also where the user may not write now: it was theirs. They can undo it, unless it is long.
 * `execCommand` is deprecated, but the only way that keeps a textarea's undo history.
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

/** Lets the input grow with its text where the browser cannot by itself; style.css holds the limits. */
export function growWithText(input: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}
