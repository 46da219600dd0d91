import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SessionFeed } from '../app/feed/session-feed.ts';
import { PromptQueue } from '../app/prompts/prompt-queue.ts';
import { PromptSender } from '../app/prompts/prompt-sender.ts';
import type { Opened } from '../app/recordings/session-recordings.ts';
import type { OpenSession, OpenSessionOptions } from '../app/sessions/open-session.ts';
import { SessionRegistry } from '../app/sessions/session-registry.ts';
import { inEnglish } from '../core/ports/localization.ts';
import type { QueueFiles } from '../core/ports/prompt-files.ts';
import type { SessionLog } from '../core/ports/session-store.ts';
import { LONGEST_PROMPT, PROMPT_TOO_LONG } from '../core/session/check-prompt.ts';
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
import { report } from './printable.ts';
import { PRODUCT } from './product.ts';
import { type LogRecording, makeRecording, recordLog } from './record.ts';
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
  if (positionals.length > 1) throw new UsageError('exec accepts one prompt; put it in quotes');
  if (options.session !== undefined && options.continue)
    throw new UsageError('cannot use --session with --continue; use one of them');
  const prompt = await promptOf(positionals[0]);
  const level = traceLevel(process.env);
  const own = await writtenBy(options);
  const { ports, cwd, sessions, traces, close } = await compose(options.cwd, modeOf(options), own);
  if (own.includes(cwd))
    throw new UsageError('--log-dir and --record cannot be the workspace folder; use another path');
  const settings = async () => traced(await runSettings(options, ports), level, traces, ports);
  const run = await openRun(options, sessions(options['log-dir']), cwd, { ports, settings });
  const output = options.json ? jsonOutput() : textOutput();
  output.onEvents?.(run.before);
  run.open.feed.subscribe(output);
  const uninterrupt = onInterrupt(() => run.session.core.cancel());
  try {
    return EXIT_OF[(await run.session.prompt(prompt, [])).reason];
  } finally {
    uninterrupt();
    await run.open.close().finally(close);
  }
}

/** Resolves with the paths that Harness itself writes during the run, links resolved. */
function writtenBy({ record, 'log-dir': logDir }: ExecOptions): Promise<readonly string[]> {
  const named = [record, logDir].filter((path) => path !== undefined);
  return Promise.all(named.map((path) => realPath(resolve(path))));
}

interface Run {
  readonly open: SessionRegistry;
  readonly session: OpenSession;
  /** Events from before the first listener: the start of a new session, or the repair of an earlier one. */
  readonly before: readonly SessionEvent[];
}

interface RunParts extends Pick<OpenSessionOptions, 'settings'> {
  readonly ports: SessionPorts;
}

/** Creates the file for the recording first, so that a failure there leaves no session. */
async function openRun(
  options: ExecOptions,
  store: JsonlSessionStore,
  cwd: string,
  parts: RunParts,
): Promise<Run> {
  const { record } = options;
  if (record !== undefined) await makeRecording(record);
  const recordings = new OneRecording(record, store);
  const feed = new SessionFeed(inEnglish);
  const open = new SessionRegistry({
    ...parts,
    store,
    recordings,
    feed,
    product: PRODUCT,
    prompts: promptsOf,
  });
  try {
    const session = await openSession(options, open, store, cwd);
    const { events } = session.core;
    const fresh = events.slice(recordings.past);
    recordings.recorded?.take(fresh);
    feed.subscribe({ onEvents: (grown) => recordings.recorded?.take(grown) });
    const isNew = options.session === undefined && !options.continue;
    return { open, session, before: isNew ? events : fresh };
  } catch (error) {
    if (record !== undefined) await rm(record, { force: true });
    throw error;
  }
}

/** Records into the file of `--record`, if the user gave one. */
class OneRecording {
  /** Number of events in the log when it was opened. */
  past = 0;
  recorded: LogRecording | undefined;
  readonly #path: string | undefined;
  readonly #store: JsonlSessionStore;

  constructor(path: string | undefined, store: JsonlSessionStore) {
    this.#path = path;
    this.#store = store;
  }

  async begin(log: SessionLog, ports: SessionPorts): Promise<Opened> {
    this.past = log.past.length;
    if (this.#path === undefined) return { log, ports, close: async () => {} };
    this.recorded = await recordLog(this.#path, log, linesOf(log, this.#store), ports);
    return this.recorded;
  }
}

/** Sends one prompt. Ignores the stored queue of the session, which belongs to a VS Code window. */
function promptsOf(session: OpenSession): PromptSender {
  const queue = new PromptQueue(NO_QUEUE, report);
  return new PromptSender({ session, queue, remember: async () => {}, changed: () => {}, warn: report });
}

const NO_QUEUE: QueueFiles = { read: async () => [], write: async () => {} };

/** Yields the lines of the log as it was opened. */
async function* linesOf(log: SessionLog, store: JsonlSessionStore): AsyncGenerator<readonly string[]> {
  if (log.trouble === undefined) yield* store.lines(log.id);
  // The disk never took the log, so the lines come from memory.
  else yield log.past.map((event) => JSON.stringify(event));
}

function modeOf({ yes, permissions = 'ask' }: ExecOptions): PermissionMode {
  if (yes && permissions !== 'ask' && permissions !== 'bypass') {
    throw new UsageError(`cannot use --yes with --permissions ${permissions}; use one of them`);
  }
  return yes ? 'bypass' : permissions;
}

async function promptOf(argument: string | undefined): Promise<string> {
  const prompt = argument === undefined || argument === '-' ? await readPrompt() : argument;
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  if (prompt.length > LONGEST_PROMPT) throw new UsageError(PROMPT_TOO_LONG);
  return prompt;
}

/** Reads the prompt from standard input. Stops as soon as it is too long. */
async function readPrompt(): Promise<string> {
  let prompt = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    prompt += String(piece);
    if (prompt.length > LONGEST_PROMPT) break;
  }
  return prompt;
}

async function openSession(
  options: ExecOptions,
  open: SessionRegistry,
  store: JsonlSessionStore,
  cwd: string,
): Promise<OpenSession> {
  if (options.session !== undefined) return open.hold(options.session);
  if (!options.continue) return open.create();
  const newest = (await store.list()).find((session) => session.cwd === cwd);
  if (!newest)
    throw new UsageError(`--continue: there is no session for ${cwd}; to start one, omit --continue`);
  return open.hold(newest.id);
}
