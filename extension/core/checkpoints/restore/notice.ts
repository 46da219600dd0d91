import { basename } from 'node:path';
import type { EventDraft, SessionEvent } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { firstLines } from '../../base/text/truncate.ts';
import type { Root } from '../../ports/workspace.ts';
import { isRestored, type RestoredFile } from '../restored-file.ts';

/** Holds for every restore: `restoreFiles` stores the bytes first, and refuses what it cannot store. */
export const REMOVED_IS_KEPT = say('Harness keeps what a restore removes. Redo brings it back.');

/** The most paths that a message to the model names. Of more, it gives only the count. */
const MAX_NAMED = 50;
/** The same limit for messages to the user. */
const MAX_SHOWN = 5;

/** The notice of a restore for the user and the model. Undefined where the restore concerns no file. */
export function restoreNotice(
  files: readonly RestoredFile[],
  roots: readonly Root[],
  unknown: readonly string[],
  interrupted = false,
): Extract<EventDraft, { type: 'notice' }> | undefined {
  if (files.length === 0) return undefined;
  const result = resultSentence(files, roots, unknown);
  const message = interrupted ? `${INTERRUPTED}\n${result}` : result;
  return { type: 'notice', message, ...noticeToModel(files, roots) };
}

/** Empty where the restore put no file back, because what the model knows of the files still holds. */
function noticeToModel(
  files: readonly RestoredFile[],
  roots: readonly Root[],
): { readonly toModel?: string } {
  const names = files
    .filter((file) => isRestored(file) && !file.absent)
    .map(({ path, folder }) => `${shortName(path, roots)}${folder ? '/' : ''}`);
  if (names.length === 0) return {};
  return {
    toModel: `The user has put these files back to what they were at an earlier point of this session: ${listed(names)}. Read them again before you edit them.`,
  };
}

/** Lists names for the model. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

const INTERRUPTED = say(
  'Harness was closed during a restore. You can repeat the restore, or undo the part that was done.',
);

/**
 * “42 files identical to checkpoint.”, the same for folders, then one line for each other outcome and each
 * sentence of `unknown`.
 */
export function resultSentence(
  files: readonly RestoredFile[],
  roots: readonly Root[],
  unknown: readonly string[],
): string {
  const identical = files.filter(({ outcome, absent }) => outcome === 'identical' && !absent);
  const namesOf = (each: readonly RestoredFile[]) => each.map(({ path }) => shortName(path, roots));
  const folders = namesOf(identical.filter(({ folder }) => folder));
  const names = namesOf(identical.filter(({ folder }) => !folder));
  const first = [
    ...(names.length > 0 || folders.length === 0 ? [identicalFiles(names)] : []),
    ...(folders.length > 0 ? [identicalFolders(folders)] : []),
  ];
  const others = files.flatMap((file) => lineOf(file, roots) ?? []);
  return [...first, ...firstLines(others), ...unknown.slice(0, MAX_SHOWN).map(untrackedChangesNotice)].join(
    '\n',
  );
}

/** `sentence` is one that `untrackedChangesSince` returns. */
export function untrackedChangesNotice(sentence: string): string {
  return say('Some later changes are unknown. {0.}', sentence);
}

function identicalFiles(names: readonly string[]): string {
  const count = names.length;
  if (count === 0 || count > MAX_SHOWN) return say('{0} files identical to checkpoint.', count);
  return count === 1
    ? say('1 file identical to checkpoint: {0}.', names.join())
    : say('{0} files identical to checkpoint: {1}.', count, names.join(', '));
}

function identicalFolders(names: readonly string[]): string {
  const count = names.length;
  if (count > MAX_SHOWN) return say('{0} folders identical to checkpoint.', count);
  return count === 1
    ? say('1 folder identical to checkpoint: {0}.', names.join())
    : say('{0} folders identical to checkpoint: {1}.', count, names.join(', '));
}

function lineOf({ path, outcome, reason = '' }: RestoredFile, roots: readonly Root[]): string | undefined {
  const name = shortName(path, roots);
  switch (outcome) {
    case 'identical':
      return reason === '' ? undefined : say('{0}: restored, but {1.}.', name, reason);
    case 'merged':
      return reason === ''
        ? say('{0}: restored, keeps your edits.', name)
        : say('{0}: restored, keeps your edits, but {1.}.', name, reason);
    case 'kept':
      return say('{0} was skipped: {1.}.', name, reason);
    case 'failed':
      return say('{0} was not restored: {1.}.', name, reason);
  }
}

/**
 * The path as the tools accept it: relative to its workspace folder, prefixed with the folder's name where
 * there are several. Otherwise absolute.
 */
export function shortName(path: string, roots: readonly Root[]): string {
  const isAbove = (root: Root) => ['/', '\\'].some((separator) => path.startsWith(root.path + separator));
  const root = roots.find(isAbove);
  if (!root) return path;
  if (roots.length === 1) return path.slice(root.path.length + 1);
  const named = roots.find(({ name }) => name === root.name);
  return named === root && basename(root.name) === root.name
    ? root.name + path.slice(root.path.length)
    : path;
}

/**
 * Sentences about changes of the session after event `seq` that are unknown. No restore takes these changes
 * back.
 */
export function untrackedChangesSince(events: readonly SessionEvent[], seq: number): readonly string[] {
  const sentences = new Set<string>();
  for (const event of events) {
    if (event.type === 'imported') sentences.clear();
    if (event.type === 'files_changed' && event.seq > seq && event.uncovered !== undefined)
      sentences.add(event.uncovered);
  }
  return [...sentences];
}
