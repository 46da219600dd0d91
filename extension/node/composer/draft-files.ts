import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { DraftFiles, QueueFiles } from '../../core/ports/prompt-files.ts';
import { attachment, type TypedPrompt } from '../../protocol/composer-messages.ts';
import { type Draft, draft, emptyDraft, isEmptyDraft } from '../../protocol/draft-messages.ts';
import { errorCode } from '../fs/file-errors.ts';
import { replaceFile } from '../fs/replace-file.ts';

/**
 * `pathOf` returns the path of a session's draft. The empty name stands for the draft of the next session.
 */
export function draftFiles(pathOf: (session: string) => string): DraftFiles {
  return {
    read: (session) => readDraft(pathOf(session)),
    write: (session, kept) => writeDraft(pathOf(session), kept).catch(unlessGone),
  };
}

/** `sessions` is the folder that holds a folder for each session. */
export function queueFiles(sessions: string): QueueFiles {
  const pathOf = (session: string) => join(sessions, session, 'queue.json');
  return {
    read: (session) => readQueue(pathOf(session)),
    write: (session, queue) => writeQueue(pathOf(session), queue),
  };
}

/** Ignores a missing folder, because the session was deleted together with its draft. */
function unlessGone(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/** Reads the draft in the file at `path`. Renames an invalid file to `PATH.damaged`, and rejects then. */
export async function readDraft(path: string): Promise<Draft> {
  return (await readKept(path, 'The draft', (value) => draft.parse(value))) ?? emptyDraft;
}

/** Removes the file for an empty draft. Rejects if the folder is missing. */
export async function writeDraft(path: string, kept: Draft): Promise<void> {
  if (isEmptyDraft(kept)) await rm(path, { force: true });
  else await replaceFile(path, JSON.stringify(kept));
}

/**
 * Reads the JSON file at `path` with `parse`. Resolves with undefined if there is no file. Renames an invalid
 * file to `PATH.damaged`, and rejects with an error that says so. `what` names the content in that error.
 */
export async function readKept<Value>(
  path: string,
  what: string,
  parse: (value: unknown) => Value,
): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch(missing);
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch (error) {
    await rename(path, `${path}.damaged`);
    throw new Error(`${what} could not be read; the file is kept as ${path}.damaged.`, { cause: error });
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const prompts = z.array(
  z.object({
    text: z.string(),
    attachments: z.optional(z.array(attachment)),
    withoutOpenFile: z.optional(z.literal(true)),
  }),
);

/**
 * Reads the prompts in the file at `path`, in order. Renames an invalid file to `PATH.damaged`, and rejects
 * then.
 */
export async function readQueue(path: string): Promise<readonly TypedPrompt[]> {
  return (await readKept(path, 'The waiting prompts', (value) => prompts.parse(value))) ?? [];
}

/** Removes the file for an empty queue. */
export async function writeQueue(path: string, queue: readonly TypedPrompt[]): Promise<void> {
  if (queue.length === 0) await rm(path, { force: true });
  else await replaceFile(path, JSON.stringify(queue));
}
