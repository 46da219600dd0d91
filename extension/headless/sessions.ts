import { JsonlSessionStore } from '../node/jsonl-session-store.ts';
import { openPlaces } from '../node/places.ts';
import { systemClock } from '../node/system-clock.ts';
import { parseCommand, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { textOutput } from './output.ts';

/** `harness sessions list | show ID`. */
export async function sessions(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('sessions', args);
  const store = new JsonlSessionStore((await openPlaces()).sessions, systemClock);
  const [verb, id] = positionals;
  if (verb === 'list') await list(store, options.json);
  else if (verb === 'show' && id !== undefined) await show(store, id, options.json);
  else throw new UsageError('sessions takes “list” or “show ID”');
  return EXIT.done;
}

async function list(store: JsonlSessionStore, json: boolean): Promise<void> {
  for (const session of await store.list()) {
    const when = new Date(session.updated).toISOString().slice(0, 16).replace('T', ' ');
    process.stdout.write(`${json ? JSON.stringify(session) : `${session.id}  ${when}  ${session.title}`}\n`);
  }
}

async function show(store: JsonlSessionStore, id: string, json: boolean): Promise<void> {
  const events = await store.read(id);
  if (json) process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  else textOutput({ prompts: true }).onEvents?.(events);
}
