import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import {
  type KnownStart,
  knownStart,
  type LiveResult,
  replayLive,
} from '../core/recording/live/replay-live.ts';
import type { RecordedSession } from '../core/recording/replay-session.ts';
import { thisProduct } from '../core/recording/this-product.ts';
import { layOut, makeScratch, scratchPorts } from '../node/scratch-workspace.ts';
import { systemClock } from '../node/system-clock.ts';
import { UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';
import { jsonOutput, textOutput } from './output.ts';
import { printable } from './printable.ts';

export interface LiveFlags {
  readonly yes: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

const PRODUCT = { product: thisProduct, turn: () => systemClock.yield() };

/** `harness replay FILE --live-tools`: resolves with the exit code, 1 where a tool gave something else than was recorded. */
export async function replayWithLiveTools(recorded: RecordedSession, flags: LiveFlags): Promise<number> {
  const start = await knownStart(recorded, PRODUCT);
  await consent(start.known.commands, flags);
  const scratch = await makeScratch();
  const end = () => finish(scratch, flags);
  const uninterrupt = onInterrupt(() => {
    end();
    // What runs for the session ends with this process.
    process.exit(EXIT.cancelled);
  });
  try {
    return report(await play(recorded, start, scratch, flags));
  } finally {
    uninterrupt();
    end();
  }
}

function finish(scratch: string, { keep }: LiveFlags): void {
  if (keep) tell(`The scratch folder is ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

async function play(
  recorded: RecordedSession,
  { roots, known, result }: KnownStart,
  scratch: string,
  { json }: LiveFlags,
): Promise<LiveResult> {
  const { paths, written, unknown } = await layOut(scratch, roots, known.files).catch((error: unknown) => {
    throw new UsageError(`--live-tools: ${(error as Error).message}`);
  });
  tell(`The scratch folder begins with ${written} files. Others are not in the recording, and are missing.`);
  if (unknown.length > 0) tell(`Their contents are not known, so these are missing: ${unknown.join(', ')}`);
  if (!result.equal)
    tell(`What the session had after ${result.events} events is not known: ${result.divergence.message}`);
  return replayLive(recorded, {
    ...PRODUCT,
    clock: systemClock,
    ports: await scratchPorts(scratch, roots, paths, known.commands),
    listener: json ? jsonOutput() : textOutput({ prompts: true }),
  });
}

/** Rejects with `UsageError` where nobody allows the commands. */
async function consent(commands: ReadonlySet<string>, { yes }: LiveFlags): Promise<void> {
  if (yes || commands.size === 0) return;
  tell('These commands of the recording would run here, with your rights:');
  for (const command of commands) tell(`  ${command}`);
  if (await isAllowed()) return;
  throw new UsageError('--live-tools: nobody has allowed these commands; run it with --yes to allow them');
}

async function isAllowed(): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return false;
  const lines = createInterface({ input, output });
  // The terminal would keep Ctrl+C to itself; it means the same here as everywhere.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question('[y] run them, [n] no: ')).trim().toLowerCase() === 'y';
  } finally {
    lines.close();
  }
}

function report({ results, different, diff, denied }: LiveResult): number {
  if (denied > 0)
    tell(`${denied} actions were denied: they are others than those that were decided on in the recording.`);
  if (different === 0) {
    tell(`Replayed with live tools: no result differs (${results} compared).`);
    return EXIT.done;
  }
  tell(`Replayed with live tools: ${different} of ${results} results differ. The first:`);
  process.stderr.write(`${printable(diff)}\n`);
  return EXIT.failed;
}

function tell(text: string): void {
  process.stderr.write(`harness: ${printable(text)}\n`);
}
