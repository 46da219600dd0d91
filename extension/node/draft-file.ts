import { rm } from 'node:fs/promises';
import { type Draft, draft, emptyDraft, isEmptyDraft } from '../protocol/draft-messages.ts';
import { readKept } from './kept-file.ts';
import { replaceFile } from './replace-file.ts';

/** The draft that the file at `path` keeps. One that cannot be understood is set aside as `PATH.damaged`. */
export async function readDraft(path: string): Promise<Draft> {
  return (await readKept(path, 'The draft', (value) => draft.parse(value))) ?? emptyDraft;
}

/** An empty draft has no file. Rejects where there is no folder for it. */
export async function writeDraft(path: string, kept: Draft): Promise<void> {
  if (isEmptyDraft(kept)) await rm(path, { force: true });
  else await replaceFile(path, JSON.stringify(kept));
}
