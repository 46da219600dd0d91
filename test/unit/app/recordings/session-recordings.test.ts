import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionRecordings } from '../../../../extension/app/recordings/session-recordings.ts';
import type { SessionLog } from '../../../../extension/core/ports/session-store.ts';
import { recordingOf } from '../../../../extension/node/log/session-files.ts';
import { recordingsIn } from '../../../../extension/node/recording/recording-file.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { scenario } from '../../../support/scenario.ts';

test('a recording ends where its session is taken by another process: that one goes on with the file', async () => {
  const { session, ports, store, root } = await scenario();
  const sessions = join(root, '..', 'recorded');
  const log: SessionLog = await store.create({ cwd: root, product: 'test' });
  let trouble: string | undefined;
  Object.defineProperty(log, 'trouble', { get: () => trouble });
  const recordings = new SessionRecordings({
    openFile: recordingsIn(sessions, 'test'),
    clock: systemClock,
    isWanted: () => true,
  });
  const recording = await recordings.begin(log, ports);
  await recording.log.append([{ type: 'user', content: 'ours' }]);
  const text = () => readFile(recordingOf(sessions, log.id), 'utf8').catch(() => '');
  await expect.poll(text).toContain('"log.append"');
  trouble = 'another process has continued this session';
  await recording.log.sync();
  await recording.close();
  await log.close();
  await session.close();
  expect(await text()).not.toContain('"log.sync"');
});
