import { createInterface } from 'node:readline';
import { describeEntry } from '../core/recording/divergence.ts';
import type { Pace } from '../core/recording/replay/pace.ts';
import { atSpeed, stepwise } from '../core/recording/replay/pace.ts';
import type { ReplayResult } from '../core/recording/replay/replay-session.ts';
import { type ReadRecording, readRecording, replayRead } from '../node/recording/read-recording.ts';
import { sessionsPlace } from '../node/settings/harness-home.ts';
import { systemClock } from '../node/system-clock.ts';
import { type CommandOptions, parseCommand, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { endInterrupted, onInterrupt } from './interrupts.ts';
import { jsonOutput, textOutput } from './output.ts';
import { counted, printable, report } from './printable.ts';

/** Runs `harness replay`. The exit code is 1 if the replay differs from the recording. */
export async function replay(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('replay', args);
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new UsageError('replay requires one FILE or one session ID');
  if (options.step && options.speed !== undefined)
    throw new UsageError('cannot use --step with --speed; use one of them');
  // Ending the process removes the unpacked files.
  onInterrupt(endInterrupted);
  const recording = await readRecording(sessionsPlace(), name).catch((error: unknown) => {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  });
  if (recording.damagedAt !== undefined)
    report(
      `Line ${recording.damagedAt} of the recording is damaged or cut off. Harness replays the lines before it.`,
    );
  const unhandled: unknown[] = [];
  process.on('unhandledRejection', (error) => unhandled.push(error));
  const code = await play(recording, options).finally(() => recording.close());
  // A reported difference may itself cause unhandled rejections, so they count only without one.
  if (code === EXIT.done && unhandled.length > 0) throw unhandled[0];
  return end(code);
}

/** Flushes the output and ends the process, because a session that was cut off may wait forever. */
async function end(code: number): Promise<never> {
  for (const output of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => output.write('', () => resolve()));
  process.exit(process.exitCode || code);
}

async function play(recording: ReadRecording, options: CommandOptions<'replay'>): Promise<number> {
  const result = await replayRead(recording, {
    pace: paceOf(options),
    listener: options.json ? jsonOutput() : textOutput({ prompts: true }),
  });
  return reportResult(result);
}

function reportResult(result: ReplayResult): number {
  if (result.equal) {
    const isCompared = result.events > result.unwritten;
    report(isCompared ? equalText(result) : 'No event of this recording can be compared.');
    return isCompared ? EXIT.done : EXIT.failed;
  }
  const { message, diff, entry, cause } = result.divergence;
  report(`The replay differs after ${result.events} events. ${message}`);
  if (diff !== '') process.stderr.write(`${printable(diff)}\n`);
  report(`Recorded next: ${describeEntry(entry)}`);
  if (cause instanceof Error) report(`Last error: ${cause.stack}`);
  return EXIT.failed;
}

function equalText({
  events,
  otherHashes,
  unwritten,
  missing,
  isCut,
}: Extract<ReplayResult, { equal: true }>): string {
  const except =
    otherHashes > 0
      ? `, except hashes of content with a masked secret in ${counted(otherHashes, 'event')}`
      : '';
  const more = missing > 0 ? ` Not recorded: ${counted(missing, 'later event')} of the log.` : '';
  const never =
    unwritten > 0 ? ` Not compared, because never written to the log: ${counted(unwritten, 'event')}.` : '';
  const end = isCut ? ' The recording ends before the session was closed.' : '';
  return `Replayed ${counted(events, 'event')}. All hashes match${except}.${never}${more}${end}`;
}

function paceOf({ speed, step }: { speed?: number | undefined; step: boolean }): Pace | undefined {
  if (step) return stepwise(linesOfInput());
  return speed === undefined ? undefined : atSpeed(systemClock, speed);
}

/**
 * Returns a function that resolves at the next line of standard input. At the end of input it resolves at
 * once.
 */
function linesOfInput(): () => Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async () => {
    await lines.next();
  };
}
