import { say } from '../../../protocol/say.ts';
import type { SessionListener } from '../../log/log-writer.ts';
import type { createProvider } from '../../providers/create-provider.ts';
import type { SecretFilter } from '../../secrets/secret-filter.ts';
import type { Session } from '../../session/session.ts';
import type { Tool } from '../../tools/common/tool.ts';
import { type DiffOf, Divergence } from '../divergence.ts';
import type { ErrorClasses } from '../encode-errors.ts';
import { interceptPorts } from '../ports/ports.ts';
import { pastOf, type RecordedPart, type RecordedSession, recordedParts } from '../recorded-session.ts';
import { EntriesAhead } from './entry-lookahead.ts';
import type { Pace } from './pace.ts';
import { Replayer } from './playback.ts';
import { recreateProvider } from './recreate-provider.ts';
import { ReplayLog } from './replay-log.ts';
import { portsOf, Stage } from './stage.ts';

/** The code that must reproduce the recording. It may be bundled apart from this file. */
export interface ReplayedProduct {
  readonly openSession: typeof Session.open;
  readonly tools: readonly Tool[];
  readonly errors: ErrorClasses;
  readonly secrets: SecretFilter;
  readonly diffOf: DiffOf;
  readonly createProvider: typeof createProvider;
  /** Masks secrets as the recording did. */
  readonly mask: (text: string) => string;
}

export interface ReplayOptions {
  readonly product: ReplayedProduct;
  /** Resolves when all other work that is due in this process is done. */
  readonly turn: () => Promise<void>;
  /** Waits until an entry may be played. Undefined for an entry that need not wait. */
  readonly pace?: Pace | undefined;
  /** Gets the events and deltas of the replayed session. */
  readonly listener?: SessionListener;
}

export type ReplayResult =
  /**
   * `events`: the number of events, each equal to the recorded one. `otherHashes`: those of them that differ
   * in hashes of what contains a masked secret. `unwritten`: those that the log does not have, because it
   * could not be written. `missing`: the number of events in the log that were not recorded. `isCut`: the
   * recording ends before its session was closed.
   */
  | {
      readonly equal: true;
      readonly events: number;
      readonly otherHashes: number;
      readonly unwritten: number;
      readonly missing: number;
      readonly isCut: boolean;
    }
  | { readonly equal: false; readonly events: number; readonly divergence: Divergence };

/** Replays a recorded session with the current code, and compares the log. Stops at the first divergence. */
export async function replaySession(
  recorded: RecordedSession,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const counter = { events: 0, otherHashes: 0, unwritten: 0 };
  let end: PartEnd | undefined;
  try {
    for await (const part of recordedParts(recorded)) end = await playPart(recorded, part, options, counter);
    if (!end) throw new Divergence(say('This recording contains no session.'));
    return { equal: true, ...counter, missing: recorded.log.length - end.length, isCut: end.isCut };
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    return { equal: false, events: counter.events, divergence: error };
  }
}

interface PartEnd {
  /** The number of lines in the log. */
  readonly length: number;
  readonly isCut: boolean;
}

async function playPart(
  recorded: RecordedSession,
  part: RecordedPart,
  options: ReplayOptions,
  counter: { events: number; otherHashes: number; unwritten: number },
): Promise<PartEnd> {
  const { pace = () => undefined, turn, product } = options;
  const { openSession, errors, mask } = product;
  const stage = new Stage();
  const ahead = new EntriesAhead(part.entries);
  await ahead.fill();
  const playback = new Replayer(ahead, {
    fetch: recorded.fetch,
    errors,
    remake: (provider) => recreateProvider(provider, product),
    turn,
    pace,
    mask,
    perform: (input, given) => stage.perform(input, given),
  });
  const log = new ReplayLog(await pastOf(part, recorded.log), {
    exchange: playback,
    recorded: recorded.log,
    repairs: part.opening.repairs,
    diffOf: product.diffOf,
    hasHidden: () => ahead.hasHidden,
    isCut: () => ahead.isCut,
    onDivergence: (divergence) =>
      playback.diverge(new Divergence(divergence.message, playback.next, divergence.diff)),
    onEvents: (events) => {
      counter.events += events.length;
    },
  });
  options.listener?.onEvents?.(counter.events === 0 ? log.past : []);
  stage.open(openSession(log, interceptPorts(portsOf(part.opening, product), playback)), options.listener);
  await playback.play().catch((error: Error) => {
    error.cause ??= stage.failure;
    throw error;
  });
  counter.otherHashes += log.otherHashes;
  counter.unwritten += log.unwritten;
  return { length: log.length, isCut: ahead.isCut };
}
