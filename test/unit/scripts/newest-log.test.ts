import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestLog } from '../../../scripts/start/newest-log.mjs';
import { tempDir } from '../../support/temp-dir.ts';

test('of all sessions the log that was written last, whatever else lies beside them', async () => {
  const sessions = await tempDir();
  expect(await newestLog(join(sessions, 'none'))).toBeUndefined();
  await mkdir(join(sessions, 'next-drafts'));
  await writeFile(join(sessions, 'index.json'), '{}');
  expect(await newestLog(sessions)).toBeUndefined();
  for (const [name, time] of [
    ['older', 1],
    ['newer', 2],
  ] as const) {
    await mkdir(join(sessions, name));
    await writeFile(join(sessions, name, 'events.jsonl'), '');
    await utimes(join(sessions, name, 'events.jsonl'), time, time);
  }
  expect(await newestLog(sessions)).toBe(join(sessions, 'newer', 'events.jsonl'));
});
