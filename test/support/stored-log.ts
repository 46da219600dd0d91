import { join } from 'node:path';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { tempDir } from './temp-dir.ts';

export const START = { cwd: '/repo', product: 'test' };

/** A folder for sessions. */
export async function newStore() {
  const root = await tempDir();
  const clock = new ManualClock(1_700_000_000_000);
  return { root, clock, store: new JsonlSessionStore(root, clock) };
}

/** A session in it that says this, and is closed. */
export async function logWith(prompts: readonly string[]) {
  const { root, clock, store } = await newStore();
  const log = await store.create(START);
  for (const content of prompts) await log.append([{ type: 'user', content }]);
  await log.close();
  return { root, clock, store, id: log.id, path: join(root, log.id, 'events.jsonl') };
}
