import { rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { attachment, type TypedPrompt } from '../protocol/composer-messages.ts';
import { readKept } from './kept-file.ts';
import { replaceFile } from './replace-file.ts';

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
