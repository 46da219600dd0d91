// The keys by which a reader moves in the conversation, wherever in the panel the focus is.
import { isLetter } from './find/find-keys.ts';

export type ReadingAction =
  | 'find'
  | 'next-match'
  | 'previous-match'
  | 'next-prompt'
  | 'previous-prompt'
  | 'next-part'
  | 'previous-part'
  | 'copy-part';

const isMac = navigator.platform.startsWith('Mac');

export function readingAction(event: KeyboardEvent): ReadingAction | undefined {
  if (event.key === 'F3' && !event.ctrlKey && !event.metaKey && !event.altKey)
    return event.shiftKey ? 'previous-match' : 'next-match';
  if (event.shiftKey) return undefined;
  if (event.altKey) return event.ctrlKey || event.metaKey ? undefined : withAlt(event);
  // Control has a meaning of its own in a Mac's inputs.
  if (isMac ? !event.metaKey || event.ctrlKey : !event.ctrlKey || event.metaKey) return undefined;
  if (isLetter(event, 'f')) return 'find';
  return isLetter(event, 'c') ? 'copy-part' : undefined;
}

function withAlt(event: KeyboardEvent): ReadingAction | undefined {
  if (event.key === 'ArrowUp') return 'previous-prompt';
  if (event.key === 'ArrowDown') return 'next-prompt';
  if (isLetter(event, 'j')) return 'next-part';
  return isLetter(event, 'k') ? 'previous-part' : undefined;
}
