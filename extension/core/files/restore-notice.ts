import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { Root } from '../ports/workspace.ts';
import type { RestoredFile } from './restorer.ts';

/** Paths that are named to the model; of more it is told how many there are. */
const MAX_NAMED = 50;
/** The same for the reader. */
const MAX_SHOWN = 5;

/** What reader and model are told of a restore; nothing where no file has to do with it. */
export function restoreNotice(
  files: readonly RestoredFile[],
  roots: readonly Root[],
): Extract<EventDraft, { type: 'notice' }> | undefined {
  if (files.length === 0) return undefined;
  const names = files.filter(({ outcome }) => outcome !== 'kept').map(({ path }) => shortName(path, roots));
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const listed = names.slice(0, MAX_NAMED).join(', ');
  const toModel = `The user has put these files back to what they were at an earlier point of this session: ${listed}${more}. Read them again before you edit them.`;
  return { type: 'notice', message: resultSentence(files, roots), toModel };
}

/** “42 files identical to checkpoint.”, and what is otherwise, one line each. */
export function resultSentence(files: readonly RestoredFile[], roots: readonly Root[]): string {
  const identical = files.filter(({ outcome }) => outcome === 'identical');
  const names = identical.map(({ path }) => shortName(path, roots)).join(', ');
  const first =
    identical.length <= MAX_SHOWN && names !== ''
      ? firstWith(identical.length, names)
      : say('{0} files identical to checkpoint.', identical.length);
  const others = files.flatMap((file) => lineOf(file, roots) ?? []);
  return [first, ...others].join('\n');
}

function firstWith(count: number, names: string): string {
  return count === 1
    ? say('1 file identical to checkpoint: {0}.', names)
    : say('{0} files identical to checkpoint: {1}.', count, names);
}

function lineOf({ path, outcome, reason = '' }: RestoredFile, roots: readonly Root[]): string | undefined {
  const name = shortName(path, roots);
  switch (outcome) {
    case 'identical':
      return undefined;
    case 'merged':
      return say('{0}: restored, with your edits in it.', name);
    case 'kept':
      return say('{0} was left alone: {1.}.', name, reason);
    case 'failed':
      return say('{0} was not restored: {1.}.', name, reason);
  }
}

/** Below a folder of the workspace relative to it. */
export function shortName(path: string, roots: readonly Root[]): string {
  const root = roots.find(
    (folder) => path.startsWith(`${folder.path}/`) || path.startsWith(`${folder.path}\\`),
  );
  return root ? path.slice(root.path.length + 1) : path;
}
