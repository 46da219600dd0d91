// Opens the session argv[3] below argv[2] as a window does, and prints what it found as JSON.
import { SessionFold } from '../../extension/core/log/session-fold.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';

const [, , root = '', id = ''] = process.argv;
const store = new JsonlSessionStore(root, systemClock);

await store.readEnd(id);
const log = await store.open(id);
const fold = new SessionFold();
fold.apply(log.past);
const shown = new LogWindow(log.past, (first, last) => log.load(first, last));
const section = await shown.whole(shown.section(0));
const texts = section.flatMap((event) => (event.type === 'text' ? [event.content] : []));

console.log(
  JSON.stringify({
    events: shown.events.length,
    elided: shown.events.filter(({ elided }) => elided).length,
    repairs: log.repairs,
    firstText: texts[0],
    last: shown.events.at(-1),
  }),
);
await log.close();
