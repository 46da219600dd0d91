// A process that writes a session as fast as it can and tells what was acknowledged, until it is killed.
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';

const store = new JsonlSessionStore(process.argv[2] ?? '', new ManualClock());
const log = await store.create({ cwd: '/', product: 'test' });
for (let count = 1; ; count++) {
  await log.append([{ type: 'user', content: `prompt ${count}` }]);
  process.send?.(count);
}
