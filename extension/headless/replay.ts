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
import { printable, report } from './printable.ts';

/** `harness replay FILE`: resolves with the exit code, 1 where what comes out is something else than was recorded. */
export async function replay(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('replay', args);
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new UsageError('replay takes one FILE, or the ID of a session');
  if (options.step && options.speed !== undefined)
    throw new UsageError('--step goes line by line; it takes no --speed');
  // What is unpacked goes with this process.
  onInterrupt(endInterrupted);
  const recording = await readRecording(sessionsPlace(), name).catch((error: unknown) => {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  });
  if (recording.damagedAt !== undefined)
    report(
      `Line ${recording.damagedAt} of the recording is damaged or cut off. What stands before it is played.`,
    );
  const unwaited: unknown[] = [];
  process.on('unhandledRejection', (error) => unwaited.push(error));
  const code = await play(recording, options).finally(() => recording.close());
  // Where it differs, that was told, and this comes of it.
  if (code === EXIT.done && unwaited.length > 0) throw unwaited[0];
  return end(code);
}

/** A session in the middle of things may wait for long: nothing comes to it any more. */
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
  if (cause instanceof Error) report(`Failed last: ${cause.stack}`);
  return EXIT.failed;
}

function equalText({
  events,
  otherHashes,
  unwritten,
  missing,
  isCut,
}: Extract<ReplayResult, { equal: true }>): string {
  const but =
    otherHashes > 0 ? `, but in ${otherHashes} of them for hashes of what holds a hidden secret` : '';
  const more = missing > 0 ? ` The log has ${missing} more, which were not recorded.` : '';
  const never = unwritten > 0 ? ` ${unwritten} of them were never written, and compared with nothing.` : '';
  const end = isCut ? ' The recording ends while the session is open.' : '';
  return `Replayed ${events} events: equal, hash for hash${but}.${never}${more}${end}`;
}

function paceOf({ speed, step }: { speed?: number | undefined; step: boolean }): Pace | undefined {
  if (step) return stepwise(linesOfInput());
  return speed === undefined ? undefined : atSpeed(systemClock, speed);
}

/** Resolves with each line of standard input; at its end at once. */
function linesOfInput(): () => Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async () => {
    await lines.next();
  };
}
