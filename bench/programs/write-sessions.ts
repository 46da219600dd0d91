// Writes sessions such as long work produces. Arguments: the folder of all sessions, and as JSON, for each
// session, its workspace folder, its first prompt and its parts (a multiple of ten). Prints their ids as
// JSON.
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { lastWords, type SessionPlan } from '../lib/session-plan.ts';
import { runOf } from '../lib/stored-run.ts';

/** Parts of the runs, in rotation. The last run of each session is a short one. */
const RUNS = [10, 30, 20, 60] as const;
const LAST_RUN = 10;

const [root = '', plans = '[]'] = process.argv.slice(2);
const store = new JsonlSessionStore(root, systemClock);

async function write(plan: SessionPlan): Promise<string> {
  const log = await store.create({ cwd: plan.workspace, product: 'bench' });
  for (const drafts of runsOf(plan)) await log.append(drafts);
  await log.close();
  return log.id;
}

function* runsOf(plan: SessionPlan): Generator<EventDraft[]> {
  let left = plan.parts;
  for (let turn = 1; left > 0; turn += 1) {
    const wanted = RUNS[turn % RUNS.length] ?? LAST_RUN;
    const size = left - wanted >= LAST_RUN ? wanted : LAST_RUN;
    left -= size;
    const prompt = turn === 1 ? plan.title : `Go on with step ${turn}`;
    yield runOf({ turn, parts: size, prompt, end: left === 0 ? lastWords(plan) : undefined });
  }
}

const ids: string[] = [];
// The bench passes the plans.
for (const plan of JSON.parse(plans) as SessionPlan[]) ids.push(await write(plan));
console.log(JSON.stringify(ids));
