import { writeFile } from 'node:fs/promises';
import { renameIntoPlace } from './rename-into-place.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

/**
 * Puts the text in the place of the file at `path`, readable for the user alone, in one step: whoever reads meanwhile
 * finds the old text or the new one. Rejects where it cannot, with an error about `path`; then the old file is as it was, and
 * nothing is beside it.
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await renameIntoPlace(temporary, path);
  } catch (error) {
    await discard(temporary);
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
    throw error;
  }
}
