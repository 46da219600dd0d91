import { expect, test } from 'vitest';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';

test('goes on from the past of a very long session', async () => {
  const place = { session: 's', timestamp: 0, prev: '' };
  const events = Array.from(
    { length: 200_000 },
    (_, index): SessionEvent => ({ type: 'title', title: '', ...place, seq: index + 1 }),
  );
  const log = new MemorySessionLog('s', new ManualClock(), { events, blobs: new MemoryBlobStore() });
  await log.append([{ type: 'title', title: 'the last' }]);
  expect(await log.load(200_000, 200_001)).toMatchObject([
    events.at(-1),
    { title: 'the last', seq: 200_001 },
  ]);
});
