import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh directory (links resolved) that is gone when the running test has ended. */
export async function tempDir(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'harness-test-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
