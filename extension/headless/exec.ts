import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionLog } from '../core/ports/session-store.ts';
import { LONGEST_PROMPT, PROMPT_TOO_LONG } from '../core/session/check-prompt.ts';
import { Session } from '../core/session/session.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { realPath } from '../node/fs/real-path.ts';
import type { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import type { EndReason, SessionEvent } from '../protocol/events.ts';
import type { PermissionMode } from '../protocol/messages.ts';
import { type ExecOptions, parseCommand, UsageError } from './arguments.ts';
import { compose, runSettings } from './compose.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';
import { jsonOutput, textOutput } from './output.ts';
import { PRODUCT } from './product.ts';
import { makeRecording, openRecorded, type RecordedRun } from './record.ts';
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
  if (options.session !== undefined && options.continue)
    throw new UsageError('--session names a session, --continue takes the newest; give one of them');
  const prompt = await promptOf(positionals[0]);
  const level = traceLevel(process.env);
  const own = await writtenBy(options);
  const { ports, cwd, sessions, traces, close } = await compose(options.cwd, modeOf(options), own);
  if (own.includes(cwd))
    throw new UsageError('--log-dir or --record names the folder of the work; name one in it, or elsewhere');
  const run = await openSession(options, sessions(options['log-dir']), cwd, ports);
  const { session } = run;
  const output = options.json ? jsonOutput() : textOutput();
  output.onEvents?.(run.before);
  session.subscribe(output);
  const uninterrupt = onInterrupt(() => session.cancel());
  try {
    const settings = async () => traced(await runSettings(options, ports), level, traces, ports);
    return EXIT_OF[await session.prompt(prompt, settings)];
  } finally {
    uninterrupt();
    await run.close().finally(close);
  }
}

/** Where the run writes what is no work of the agent's; links resolved. */
function writtenBy({ record, 'log-dir': logDir }: ExecOptions): Promise<readonly string[]> {
  const named = [record, logDir].filter((path) => path !== undefined);
  return Promise.all(named.map((path) => realPath(resolve(path))));
}

interface Run extends RecordedRun {
  /** What was written before anybody could listen: the beginning of a new session, or what an earlier one was mended with. */
  readonly before: readonly SessionEvent[];
}

/** The file for a recording is made first: where it cannot be, there is no session either. */
async function openSession(
  options: ExecOptions,
  store: JsonlSessionStore,
  cwd: string,
  ports: SessionPorts,
): Promise<Run> {
  const { record } = options;
  if (record !== undefined) await makeRecording(record);
  try {
    const log = await openLog(options, store, cwd);
    const run = await openRun(record, store, log, ports).catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    const isNew = options.session === undefined && !options.continue;
    return { ...run, before: run.session.events.slice(isNew ? 0 : log.past.length) };
  } catch (error) {
    if (record !== undefined) await rm(record, { force: true });
    throw error;
  }
}

async function openRun(
  record: string | undefined,
  store: JsonlSessionStore,
  log: SessionLog,
  ports: SessionPorts,
): Promise<RecordedRun> {
  if (record !== undefined) return openRecorded(record, log, linesOf(log, store), ports);
  const session = await Session.open(log, ports);
  return { session, close: () => session.close() };
}

/** Those of the log as it was opened. */
async function* linesOf(log: SessionLog, store: JsonlSessionStore): AsyncGenerator<readonly string[]> {
  if (log.trouble === undefined) yield* store.lines(log.id);
  // It was never written.
  else yield log.past.map((event) => JSON.stringify(event));
}

function modeOf({ yes, permissions = 'ask' }: ExecOptions): PermissionMode {
  if (yes && permissions !== 'ask' && permissions !== 'bypass') {
    throw new UsageError(`--yes allows everything, --permissions ${permissions} does not; give one of them`);
  }
  return yes ? 'bypass' : permissions;
}

async function promptOf(argument: string | undefined): Promise<string> {
  const prompt = argument === undefined || argument === '-' ? await readPrompt() : argument;
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  if (prompt.length > LONGEST_PROMPT) throw new UsageError(PROMPT_TOO_LONG);
  return prompt;
}

/** What is on standard input; of what is too long for a prompt, the end is not read. */
async function readPrompt(): Promise<string> {
  let prompt = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    prompt += String(piece);
    if (prompt.length > LONGEST_PROMPT) break;
  }
  return prompt;
}

async function openLog(options: ExecOptions, store: JsonlSessionStore, cwd: string): Promise<SessionLog> {
  if (options.session !== undefined) return store.open(options.session);
  if (!options.continue) return store.create({ cwd, product: PRODUCT });
  const newest = (await store.list()).find((session) => session.cwd === cwd);
  if (!newest) throw new UsageError(`--continue: there is no session for ${cwd}`);
  return store.open(newest.id);
}
