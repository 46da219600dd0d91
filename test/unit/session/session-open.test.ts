import { expect, test } from 'vitest';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { Session } from '../../../extension/core/session/session.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { scenario } from '../../support/scenario.ts';

test('a session that cannot be opened lets go of its log: the next try finds it free', async () => {
  const { ports } = await scenario();
  const begun = new MemorySessionLog('1', systemClock);
  const started = await begun.append([{ type: 'turn_started', turn: 1 }]);
  const past = { events: [...begun.past, ...started], blobs: new MemoryBlobStore() };
  const log = new MemorySessionLog('1', systemClock, past);
  let isClosed = false;
  log.append = () => Promise.reject(new Error('no disk'));
  log.close = async () => {
    isClosed = true;
  };
  await expect(Session.open(log, ports)).rejects.toThrow('no disk');
  expect(isClosed).toBe(true);
});
