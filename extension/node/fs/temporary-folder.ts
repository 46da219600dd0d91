import { mkdtempSync, rmSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone when it is not needed any more, and at the latest when this process exits. */
export interface PassingFolder {
  readonly path: string;
  remove(): void;
}

export async function makeTemporaryFolder(prefix: string): Promise<PassingFolder> {
  const parent = await realpath(tmpdir());
  // At once: an interrupt that came in between would leave it.
  const path = mkdtempSync(join(parent, prefix));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', remove);
  return { path, remove };
}
