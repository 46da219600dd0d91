import { writeFile } from 'node:fs/promises';
import { renameIntoPlace } from './rename-into-place.ts';
import { discard, temporaryBeside } from './temporary-files.ts';

/**
 * Replaces the file at `path` in one step with a file that only the user may access. A concurrent reader
 * finds the old content or the new one. If it rejects, the old file is unchanged, no temporary file stays,
 * and the error names `path`.
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
