// A process that works through its script in the session of argv[2] and tells what was acknowledged, until it is killed.
// It begins when it is told to: what it needs is loaded by then.
import { appendFileSync } from 'node:fs';
import { createSession, openWorkplace, settingsWith } from './session.ts';
import { longWork } from './work.ts';

const folder = process.argv[2] ?? '';
const work = longWork();
const workplace = await openWorkplace(folder);
process.send?.('ready');
process.once('message', async () => {
  const session = await createSession(workplace, folder);
  // A message may not have left when the process is killed; what is written is with the system.
  const tell = (line: unknown) => appendFileSync(`${folder}/told.jsonl`, `${JSON.stringify(line)}\n`);
  tell(session.id);
  for (const event of session.events) tell(event);
  session.subscribe({ onEvents: (events) => events.forEach(tell) });
  await session.prompt('Go', settingsWith(work));
  process.exit(0);
});
