// A process that works through everything in the session of argv[2] and tells what was acknowledged, until it is killed.
// It begins when it is told to: what it needs is loaded by then. Told a number, it kills itself when it has begun that many
// operations on files.
import { appendFileSync } from 'node:fs';
import { Session } from '../../../extension/core/session/session.ts';
import { watchFiles } from '../files.ts';
import { createLog, openWorkplace, personWho } from './session.ts';
import { doEverything } from './stages.ts';

const [, , folder = ''] = process.argv;
const opened = await openWorkplace(folder);
const workplace = { ...opened, ports: { ...opened.ports, approver: personWho(4) } };

let count = 0;

/** The system may or may not get to do the last of them. */
function dieAfter(operations: number): void {
  watchFiles(folder, (_, perform) => {
    count += 1;
    if (count < operations) return perform();
    const last = count % 2 ? perform() : Promise.resolve();
    process.kill(process.pid, 'SIGKILL');
    return last;
  });
}

process.send?.('ready');
process.once('message', async (operations: number) => {
  dieAfter(operations);
  const session = await Session.open(await createLog(workplace, folder), workplace.ports);
  // A message may not have left when the process is killed; what is written is with the system.
  const tell = (line: unknown) => appendFileSync(`${folder}/told.jsonl`, `${JSON.stringify(line)}\n`);
  tell(session.id);
  for (const event of session.events) tell(event);
  session.subscribe({ onEvents: (events) => events.forEach(tell) });
  await doEverything(session, workplace, folder);
  process.send?.(count, () => process.exit(0));
});
