import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { JsonlSessionStore } from '../node/jsonl-session-store.ts';
import { openPlaces } from '../node/places.ts';
import { systemClock } from '../node/system-clock.ts';
import { type Parsed, parseCommand, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { textOutput } from './output.ts';

interface Request {
  /** The folder of all sessions. */
  readonly root: string;
  readonly store: JsonlSessionStore;
  readonly options: Parsed<'sessions'>['options'];
}

/** `harness sessions list | show ID | export ID [FILE] | import FILE | verify ID | restore ID --to SEQ`. */
export async function sessions(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('sessions', args);
  const { sessions: root } = await openPlaces();
  const request = { root, options, store: new JsonlSessionStore(root, systemClock) };
  const [verb, subject, file, ...rest] = positionals;
  const isOne = subject !== undefined && file === undefined;
  if (verb === 'list' && subject === undefined) return list(request);
  if (verb === 'show' && isOne) return show(request, subject);
  if (verb === 'export' && subject !== undefined && rest.length === 0)
    return (await import('./export-session.ts')).exportTo(root, subject, options, file);
  if (verb === 'import' && isOne) return importFrom(request, subject);
  if (verb === 'verify' && isOne) return verify(request, subject);
  if (verb === 'restore' && isOne)
    return (await import('./restore-files.ts')).restoreTo(request.store, subject, options);
  throw new UsageError(
    'sessions takes “list”, “show ID”, “export ID [FILE]”, “import FILE”, “verify ID” or “restore ID --to SEQ”',
  );
}

async function list({ store, options }: Request): Promise<number> {
  for (const session of await store.list()) {
    const when = new Date(session.updated).toISOString().slice(0, 16).replace('T', ' ');
    print(options.json ? JSON.stringify(session) : `${session.id}  ${when}  ${session.title}`);
  }
  return EXIT.done;
}

async function show({ store, options }: Request, id: string): Promise<number> {
  const output = options.json ? undefined : textOutput({ prompts: true });
  for await (const events of store.stream(id)) {
    if (output) output.onEvents?.(events);
    else for (const event of events) print(JSON.stringify(event));
  }
  return EXIT.done;
}

async function importFrom({ root, options }: Request, path: string): Promise<number> {
  const { importSession } = await import('../node/import-session.ts');
  const cwd = await realpath(resolve(options.cwd)).catch(() => {
    throw new UsageError(`--cwd: ${options.cwd} is not a directory`);
  });
  const { id, as, events } = await importSession({ root, clock: systemClock, cwd }, path);
  if (options.json) print(JSON.stringify({ session: id, as, events }));
  else if (as === 'here') print(`${id} is here already, with all that is in the file`);
  else print(`${id}: ${events} events imported. Go on with: harness exec --session ${id}`);
  if (as === 'copy') tell('another session has the name in the file, so this one has got a new one');
  return EXIT.done;
}

async function verify({ root, options }: Request, id: string): Promise<number> {
  const { verifySession } = await import('../node/verify-session.ts');
  const report = await verifySession(root, id);
  const { events, versions, images, head, problems } = report;
  if (options.json) print(JSON.stringify(report));
  else {
    for (const { file, line, at, message } of problems)
      print(`${file}${line === undefined ? '' : `:${line} (byte ${at})`}: ${message}`);
    const holds = `${events} events, ${versions} versions of files, ${images} images, head ${head}`;
    print(`${id}: ${problems.length === 0 ? 'sound' : `${problems.length} problems`}; ${holds}`);
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tell(line: string): void {
  process.stderr.write(`harness: ${line}\n`);
}
