import { text as readAll } from 'node:stream/consumers';
import type { SessionLog } from '../core/ports/event-store.ts';
import { Session } from '../core/session/session.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import type { JsonlSessionStore } from '../node/jsonl-session-store.ts';
import type { EndReason } from '../protocol/events.ts';
import type { PermissionMode } from '../protocol/messages.ts';
import { type ExecOptions, parseCommand, UsageError } from './arguments.ts';
import { compose, runSettings } from './compose.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';
import { jsonOutput, textOutput } from './output.ts';
import { PRODUCT } from './product.ts';
import { openRecorded, type RecordedRun } from './record.ts';
import { traced, traceLevel } from './trace.ts';

const EXIT_OF: Readonly<Record<EndReason, number>> = {
  done: EXIT.done,
  max_turns: EXIT.failed,
  error: EXIT.failed,
  budget: EXIT.failed,
  cancelled: EXIT.cancelled,
};

/** `harness exec`: resolves with the exit code. */
export async function exec(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('exec', args);
  if (positionals.length > 1) throw new UsageError('exec takes one prompt; put it in quotes');
  const prompt = await promptOf(positionals[0]);
  const level = traceLevel(process.env);
  const { ports, cwd, sessions, traces } = await compose(options.cwd, modeOf(options));
  const store = sessions(options['log-dir']);
  const { session, close } = await openSession(options, store, await openLog(options, store, cwd), ports);
  const output = options.json ? jsonOutput() : textOutput();
  // A new session's first event was written before anybody could listen.
  if (!options.session && !options.continue) output.onEvents?.(session.events);
  session.subscribe(output);
  const uninterrupt = onInterrupt(() => session.cancel());
  try {
    const settings = async () => traced(await runSettings(options, ports), level, traces, ports);
    return EXIT_OF[await session.prompt(prompt, settings)];
  } finally {
    uninterrupt();
    await close();
  }
}

async function openSession(
  { record }: ExecOptions,
  store: JsonlSessionStore,
  log: SessionLog,
  ports: SessionPorts,
): Promise<RecordedRun> {
  if (record !== undefined) return openRecorded(record, log, await store.lines(log.id), ports);
  const session = await Session.open(log, ports);
  return { session, close: () => session.close() };
}

function modeOf({ yes, permissions = 'ask' }: ExecOptions): PermissionMode {
  if (yes && permissions !== 'ask' && permissions !== 'bypass') {
    throw new UsageError(`--yes allows everything, --permissions ${permissions} does not; give one of them`);
  }
  return yes ? 'bypass' : permissions;
}

async function promptOf(argument: string | undefined): Promise<string> {
  const prompt = argument === undefined || argument === '-' ? await readAll(process.stdin) : argument;
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  return prompt;
}

async function openLog(options: ExecOptions, store: JsonlSessionStore, cwd: string): Promise<SessionLog> {
  if (options.session !== undefined) return store.open(options.session);
  if (!options.continue) return store.create({ cwd, product: PRODUCT });
  const newest = (await store.list()).find((session) => session.cwd === cwd);
  if (!newest) throw new UsageError(`--continue: there is no session for ${cwd}`);
  return store.open(newest.id);
}
