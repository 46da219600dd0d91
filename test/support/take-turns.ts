// Writes prompts into the session argv[3] below argv[2] in so many rounds (argv[5]) of so many (argv[6]), whenever no other
// process writes it. Each begins with argv[4].
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SessionBusyError, type SessionLog } from '../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';

const [, , root = '', id = '', name = '', rounds = '', appends = ''] = process.argv;
const store = new JsonlSessionStore(root, new ManualClock());

async function openInTurn(): Promise<SessionLog> {
  for (;;) {
    try {
      return await store.open(id);
    } catch (error) {
      if (!(error instanceof SessionBusyError)) throw error;
      await nextTurn();
    }
  }
}

let count = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const log = await openInTurn();
  const prompts = Array.from({ length: Number(appends) }, () => `${name} ${count++}`);
  await Promise.all(prompts.map((content) => log.append([{ type: 'user', content }])));
  await log.close();
}
