import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Linux has a file system in memory here, on which a sync costs nothing. */
const MEMORY = '/dev/shm';

/** As `tempDir`, for a test that begins anew hundreds of times. */
export async function memoryDir(): Promise<string> {
  const parent = existsSync(MEMORY) ? MEMORY : tmpdir();
  const path = await realpath(await mkdtemp(join(parent, 'harness-test-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
