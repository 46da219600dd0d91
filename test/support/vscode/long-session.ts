import path from 'node:path';
import { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';

/** Stores a session of `runs` runs of four parts each: a prompt, words, a read and an answer, all with the run's number from 0. */
export async function storeLongSession(harnessHome: string, cwd: string, runs: number): Promise<void> {
  const store = new JsonlSessionStore(path.join(harnessHome, 'sessions'), systemClock);
  const log = await store.create({ cwd, product: 'test' });
  await log.append(Array.from({ length: runs }, (_, index) => runOf(index)).flat());
  await log.close();
}

function runOf(index: number): EventDraft[] {
  const id = `call-${index}`;
  const result = JSON.stringify({ content: `content ${index}\n` });
  return [
    { type: 'user', content: `Prompt ${index}` },
    { type: 'turn_started', turn: index + 1 },
    { type: 'request_started', request: 1, provider: 'demo', model: 'demo' },
    { type: 'text', content: `I look, run ${index}.` },
    { type: 'tool_call', id, name: 'read', input: { path: `file${index}.ts` } },
    { type: 'tool_result', id, result, isError: false },
    { type: 'text', content: `Answer ${index}` },
    { type: 'turn_ended', turn: index + 1, reason: 'done' },
  ];
}
