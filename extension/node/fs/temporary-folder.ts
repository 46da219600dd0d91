import { mkdtempSync, rmSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that exists until `remove` is called, or at most until this process exits. */
export interface PassingFolder {
  readonly path: string;
  remove(): void;
}

export async function makeTemporaryFolder(prefix: string): Promise<PassingFolder> {
  const parent = await realpath(tmpdir());
  // Synchronous, because an interrupt before the `exit` handler is set would leave the folder.
  const path = mkdtempSync(join(parent, prefix));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', remove);
  return { path, remove };
}
