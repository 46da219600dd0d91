import { rmSync } from 'node:fs';
import {
  type KnownStart,
  knownStart,
  type LiveResult,
  replayLive,
} from '../core/recording/live/replay-live.ts';
import type { RecordedSession } from '../core/recording/recorded-session.ts';
import { thisProduct } from '../core/recording/replay/this-product.ts';
import { type LaidOut, layOut, makeScratch, scratchPorts } from '../node/recording/scratch-workspace.ts';
import { systemClock } from '../node/system-clock.ts';
import { UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { jsonOutput, textOutput } from './output.ts';
import { printable, tell } from './printable.ts';
import { askOnTerminal, isAttended, ownTerminal, type Terminal } from './terminal-approver.ts';

export interface LiveFlags {
  readonly yes: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

const PRODUCT = { product: thisProduct, turn: () => systemClock.yield() };

/** `harness replay FILE --live-tools`: resolves with the exit code, 1 where a tool gave something else than was recorded. */
export async function replayWithLiveTools(recorded: RecordedSession, flags: LiveFlags): Promise<number> {
  const start = await knownStart(recorded, PRODUCT);
  const scratch = await makeScratch();
  const end = () => finish(scratch, flags);
  // An interrupt ends this process, and with it what runs for the session.
  process.once('exit', end);
  try {
    const laid = await layOutIn(scratch, start);
    const files = new Set([...laid.files, ...start.known.written]);
    const { reaching } = laid;
    if (reaching.length > 0 || (!flags.yes && laid.commands.size > 0))
      await allowCommands({ commands: laid.commands.values(), reaching, files });
    const { ports, close } = await scratchPorts(scratch, start.roots, laid);
    const listener = flags.json ? jsonOutput() : textOutput({ prompts: true });
    const live = { ...PRODUCT, clock: systemClock, ports, listener };
    return report(await replayLive(recorded, live).finally(close));
  } finally {
    process.off('exit', end);
    end();
  }
}

function finish(scratch: string, { keep }: LiveFlags): void {
  if (keep) tell(`The scratch folder is ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

async function layOutIn(scratch: string, { roots, known, result }: KnownStart): Promise<LaidOut> {
  const laid = await layOut(scratch, roots, known).catch((error: unknown) => {
    throw new UsageError(`--live-tools: ${(error as Error).message}`);
  });
  const { files, missing, here, commands } = laid;
  if (here.length > 0 && commands.size > 0)
    tell(`The recorded workspace itself is on this machine: ${here.join(', ')}`);
  tell(
    `The scratch folder begins with ${files.length} files. Others are not in the recording, and are missing.`,
  );
  if (missing.length > 0)
    tell(
      `These are missing, as their contents are not known, they lie behind a link, or are Git’s own: ${missing.join(', ')}`,
    );
  if (!result.equal)
    tell(`What the session had after ${result.events} events is not known: ${result.divergence.message}`);
  return laid;
}

function report({ results, different, diff, denied }: LiveResult): number {
  if (denied > 0)
    tell(`${denied} actions were denied: they are others than those that were decided on in the recording.`);
  if (results === 0) {
    tell('Replayed with live tools: there is no result that can be compared.');
    return EXIT.failed;
  }
  if (different === 0) {
    tell(`Replayed with live tools: no result differs (${results} compared).`);
    return EXIT.done;
  }
  tell(`Replayed with live tools: ${different} of ${results} results differ. The first:`);
  process.stderr.write(`${printable(diff)}\n`);
  return EXIT.failed;
}

const ANSWERS = new Map([
  ['y', true],
  ['n', false],
]);

/** What somebody else may have thought of. */
export interface Foreign {
  /** As they would run. */
  readonly commands: Iterable<string>;
  /** Those of them that may get at the recorded folders themselves, by what they say. */
  readonly reaching: readonly string[];
  /** That the commands find, or that tools write for them. */
  readonly files: Iterable<string>;
}

/** Shows commands with the files that they find, and asks. Rejects with `UsageError` where nobody allows them. */
export async function allowCommands(
  { commands, reaching, files }: Foreign,
  terminal: Terminal = ownTerminal(),
): Promise<void> {
  const list = (texts: Iterable<string>) => {
    for (const text of texts) terminal.output.write(`${indented(printable(text))}\n`);
  };
  tell(
    'These files come from the recording; scripts and settings in them may run programs:',
    terminal.output,
  );
  list(files);
  tell('These commands of the recording would run on them here, with your rights:', terminal.output);
  list(commands);
  if (reaching.length > 0) {
    tell(
      'Of these the following name what lies outside of the scratch folder, or may: they may get at the recorded workspace itself, and may change it for good:',
      terminal.output,
    );
    list(reaching);
  }
  if (isAttended(terminal) && (await isAllowed(terminal))) return;
  throw new UsageError(
    reaching.length > 0
      ? '--live-tools: nobody has allowed these commands; as some may change the recorded workspace itself, only y on a terminal does'
      : '--live-tools: nobody has allowed these commands; run it with --yes to allow them',
  );
}

/** Every line of it: none can be taken for one of ours. */
function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

async function isAllowed(terminal: Terminal): Promise<boolean> {
  const never = new AbortController().signal;
  return askOnTerminal(terminal, '[y] run them, [n] no: ', ANSWERS, never).catch(() => false);
}
