import { once } from 'node:events';
import { existsSync, rmdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ArchiveError } from '../node/archive/read-archive.ts';
import { errorCode, ifPresent } from '../node/fs/file-errors.ts';
import { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import { openHarnessHome, sessionsPlace } from '../node/settings/harness-home.ts';
import { systemClock } from '../node/system-clock.ts';
import {
  directory,
  parseVerb,
  type SessionVerb,
  sessionVerbs,
  UnusableError,
  UsageError,
  type VerbOptions,
} from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { allOrNothing } from './interrupts.ts';
import { textOutput } from './output.ts';
import { counted, printable, report } from './printable.ts';

interface Request<Verb extends SessionVerb> {
  /** The folder of all sessions. */
  readonly root: string;
  readonly store: JsonlSessionStore;
  readonly options: VerbOptions<Verb>;
  /** The arguments after the verb. */
  readonly names: readonly string[];
}

const FORMS =
  'sessions requires “list”, “show ID”, “export ID [FILE]”, “import FILE”, “verify ID” or “restore ID --to SEQ”';

/**
 * Runs `harness sessions list | show ID | export ID [FILE] | import FILE | verify ID | restore ID --to SEQ`.
 */
export async function sessions(args: readonly string[]): Promise<number> {
  const verb = args.find((arg): arg is SessionVerb => Object.hasOwn(sessionVerbs, arg));
  if (verb === undefined) throw new UsageError(FORMS);
  const rest = args.toSpliced(args.indexOf(verb), 1);
  switch (verb) {
    case 'list':
      return list(await requestOf(verb, rest));
    case 'show':
      return show(await requestOf(verb, rest));
    case 'export':
      return exportTo(await requestOf(verb, rest));
    case 'import':
      return importFrom(await requestOf(verb, rest));
    case 'verify':
      return verify(await requestOf(verb, rest));
    case 'restore':
      return restore(await requestOf(verb, rest));
  }
}

async function requestOf<Verb extends SessionVerb>(
  verb: Verb,
  args: readonly string[],
): Promise<Request<Verb>> {
  const { options, positionals: names } = parseVerb(verb, args);
  const expected = verb === 'list' ? [0] : verb === 'export' ? [1, 2] : [1];
  if (!expected.includes(names.length)) throw new UsageError(FORMS);
  const root = await rootOf(options['log-dir'], verb === 'import');
  return { root, store: new JsonlSessionStore(root, systemClock), options, names };
}

/**
 * Resolves with the folder of all sessions. Rejects with `UnusableError` if the folder of `--log-dir` is
 * missing and `mayBeMade` is false.
 */
async function rootOf(logDir: string | undefined, mayBeMade: boolean): Promise<string> {
  if (mayBeMade) removeEmptyAtExit(resolve(logDir ?? sessionsPlace()));
  if (logDir === undefined) return mayBeMade ? (await openHarnessHome()).sessions : sessionsPlace();
  const found = await ifPresent(stat(logDir));
  if (found ? found.isDirectory() : mayBeMade) return resolve(logDir);
  throw new UnusableError(`--log-dir: there is no folder ${logDir}`);
}

async function list({ store, options }: Request<'list'>): Promise<number> {
  const unread: string[] = [];
  const found = await store.list((id, { message }) => unread.push(`${id} cannot be read: ${message}`));
  if (found.length + unread.length === 0 && !options.json) report('There are no sessions.');
  for (const session of found) {
    const when = new Date(session.updated).toISOString().slice(0, 16).replace('T', ' ');
    print(options.json ? JSON.stringify(session) : printable(`${session.id}  ${when}  ${session.title}`));
  }
  for (const line of unread) report(line);
  return unread.length === 0 ? EXIT.done : EXIT.failed;
}

async function show({ store, options, names: [id = ''] }: Request<'show'>): Promise<number> {
  if (options.json) return showStored(store, id);
  await whileRead(showText(store, id));
  return EXIT.done;
}

async function showText(store: JsonlSessionStore, id: string): Promise<void> {
  const output = textOutput({ prompts: true });
  let damaged = 0;
  const events = store.stream(id, (lines) => {
    damaged = lines;
  });
  for await (const some of events) {
    output.onEvents?.(some);
    await isTaken(process.stdout);
  }
  output.finish();
  reportDamaged(id, damaged);
}

function reportDamaged(id: string, records: number): void {
  if (records === 0) return;
  report(
    `cannot read ${counted(records, 'record')}; to locate the damage, run “harness sessions verify ${id}”`,
  );
}

/** Ignores EPIPE: the reader may close the pipe before the end. */
async function whileRead(shown: Promise<void>): Promise<void> {
  await shown.catch((error: unknown) => {
    if (errorCode(error) !== 'EPIPE') throw error;
  });
}

/** Resolves after the stream has drained its buffer, because a log may be larger than the memory. */
async function isTaken(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain');
}

/** Prints the log line by line, unchanged. Reads no faster than the reader of the output. */
async function showStored(store: JsonlSessionStore, id: string): Promise<number> {
  let damaged = 0;
  const lines = store.stored(id, () => {
    damaged += 1;
  });
  await whileRead(pipeline(lines, process.stdout, { end: false }));
  reportDamaged(id, damaged);
  return EXIT.done;
}

async function exportTo({ root, options, names: [id = '', file] }: Request<'export'>): Promise<number> {
  return (await import('./export-session.ts')).exportTo(root, id, options, file);
}

async function restore({ store, options, names: [id = ''] }: Request<'restore'>): Promise<number> {
  return (await import('./restore-files.ts')).restoreTo(store, id, options);
}

async function importFrom({ root, options, names: [path = ''] }: Request<'import'>): Promise<number> {
  const { importSession } = await import('../node/transfer/import-session.ts');
  const cwd = await directory(options.cwd);
  const found = await ifPresent(stat(path));
  if (!found || found.isDirectory()) throw new UnusableError(`there is no file ${path}`);
  const place = { root, clock: systemClock, cwd };
  const { id: session, ...imported } = await allOrNothing(root, () =>
    importSession(place, path).catch(refuse),
  );
  const { as, events, recovered, isDamaged, isRecordingLost } = imported;
  if (options.json) print(JSON.stringify({ session, ...imported }));
  else if (as === 'here')
    print(
      `${session} already exists${recovered === 0 ? ' and has everything in the file' : `; restored ${counted(recovered, 'lost file')} (file versions, images or recordings)`}`,
    );
  else
    print(`${session}: imported ${counted(events, 'event')}. To continue: harness exec --session ${session}`);
  if (isDamaged)
    report(
      'the log was damaged, or changed by another program, before the export; do not rely on its content',
    );
  if (isRecordingLost) report('left out the recording in the file, because it is damaged');
  if (as === 'copy') report('another session has the ID in the file, so the imported session has a new ID');
  return EXIT.done;
}

/** Turns the error of a damaged or foreign file into `UnusableError`. */
function refuse(error: unknown): never {
  throw error instanceof ArchiveError ? new UnusableError(error.message, { cause: error }) : error;
}

async function verify({ root, options, names: [id = ''] }: Request<'verify'>): Promise<number> {
  const { verifySession } = await import('../node/transfer/verify-session.ts');
  const verified = await verifySession(root, id);
  const { events, versions, images, recording, head, problems } = verified;
  if (options.json) print(JSON.stringify(verified));
  else {
    for (const { file, line, at, message } of problems)
      print(printable(`${file}${line === undefined ? '' : `:${line} (byte ${at})`}: ${message}`));
    const recorded = recording ? `a recording of ${counted(recording.lines, 'line')}` : 'no recording';
    const end = recording?.isCut ? ' (its end is cut off)' : '';
    const holds = `${counted(events, 'event')}, ${counted(versions, 'file version')}, ${counted(images, 'image')}, ${recorded}${end}, head ${head}`;
    print(`${id}: ${problems.length === 0 ? 'sound' : counted(problems.length, 'problem')}; ${holds}`);
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Removes the folders that are missing at this call, from `folder` upward, at the end of the process if they
 * are empty.
 */
export function removeEmptyAtExit(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.push(path);
  process.once('exit', () => missing.forEach(removeEmpty));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty, or was never created.
  }
}
