// The keys of the find widget, which are those of VS Code.
import type { FindOptions } from '../../../extension/protocol/find-messages.ts';

interface Toggle {
  readonly option: keyof FindOptions;
  readonly label: 'matchCase' | 'wholeWord' | 'regularExpression';
  /** The label of its button. */
  readonly sign: string;
  /** With Alt. */
  readonly key: string;
}

export const findToggles: readonly Toggle[] = [
  { option: 'matchCase', label: 'matchCase', sign: 'Aa', key: 'c' },
  { option: 'wholeWord', label: 'wholeWord', sign: 'ab', key: 'w' },
  { option: 'regex', label: 'regularExpression', sign: '.*', key: 'r' },
];

/** The action of a key while the widget has the focus. */
export function findAction(event: KeyboardEvent): 'next' | 'previous' | keyof FindOptions | undefined {
  if (event.ctrlKey || event.metaKey) return undefined;
  if (event.altKey) return findToggles.find(({ key }) => isLetter(event, key))?.option;
  const isField = event.target instanceof HTMLInputElement;
  return event.key === 'Enter' && isField ? (event.shiftKey ? 'previous' : 'next') : undefined;
}

/** With Alt or Option, some keyboards produce other characters. */
export function isLetter({ key, code }: KeyboardEvent, letter: string): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
}
