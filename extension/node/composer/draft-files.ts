import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { DraftFiles, QueueFiles } from '../../core/ports/prompt-files.ts';
import { attachment, type TypedPrompt } from '../../protocol/composer-messages.ts';
import { type Draft, draft, emptyDraft, isEmptyDraft } from '../../protocol/draft-messages.ts';
import { errorCode } from '../fs/file-errors.ts';
import { replaceFile } from '../fs/replace-file.ts';

/** `pathOf` a session's draft; the empty name is that of the next session's. */
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

/** The session was deleted, and with it what was typed in it. */
function unlessGone(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/** The draft that the file at `path` keeps. One that cannot be understood is set aside as `PATH.damaged`. */
export async function readDraft(path: string): Promise<Draft> {
  return (await readKept(path, 'The draft', (value) => draft.parse(value))) ?? emptyDraft;
}

/** An empty draft has no file. Rejects where there is no folder for it. */
export async function writeDraft(path: string, kept: Draft): Promise<void> {
  if (isEmptyDraft(kept)) await rm(path, { force: true });
  else await replaceFile(path, JSON.stringify(kept));
}

/**
 * What the JSON file at `path` holds, as `parse` understands it; undefined where there is none. One that cannot be understood
 * is set aside as `PATH.damaged`, and the error says so: `what` is what it was to hold.
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

const prompts = z.array(z.object({ text: z.string(), attachments: z.optional(z.array(attachment)) }));

/** The prompts that the file at `path` keeps, in order. One that cannot be understood is set aside as `PATH.damaged`. */
export async function readQueue(path: string): Promise<readonly TypedPrompt[]> {
  return (await readKept(path, 'The waiting prompts', (value) => prompts.parse(value))) ?? [];
}

/** Without prompts there is no file. */
export async function writeQueue(path: string, queue: readonly TypedPrompt[]): Promise<void> {
  if (queue.length === 0) await rm(path, { force: true });
  else await replaceFile(path, JSON.stringify(queue));
}
