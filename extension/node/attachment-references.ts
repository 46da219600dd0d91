import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent } from './file-errors.ts';

const NAMES = /attachments\/[0-9a-f]{64}\.(?:png|jpg|gif|webp)/g;
/** Characters of the longest name, less one: what may be cut off at the end of a piece. */
const LONGEST_CUT = 'attachments/'.length + 64 + '.webp'.length - 1;

/** The names of attachments in the files of a folder: a session's log, its queue and its draft. */
export async function* attachmentsNamedIn(folder: string): AsyncGenerator<string> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of entries) if (entry.isFile()) yield* namesIn(join(folder, entry.name));
}

async function* namesIn(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, 'latin1')) {
    const text = `${rest}${piece}`;
    for (const [name] of text.matchAll(NAMES)) yield name;
    rest = text.slice(-LONGEST_CUT);
  }
}
