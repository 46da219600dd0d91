import { say } from '../../protocol/say.ts';
import type { createProvider } from '../providers/create-provider.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import type { SessionListener } from '../session/recorder.ts';
import type { Session } from '../session/session.ts';
import type { Tool } from '../tools/tool.ts';
import { boundPorts } from './bound-ports.ts';
import type { Decoding } from './coded.ts';
import type { ErrorClasses } from './coded-errors.ts';
import { type DiffOf, Divergence } from './divergence.ts';
import type { Entry, Opening } from './entry.ts';
import type { Pace } from './pace.ts';
import { Playback, type Watch } from './playback.ts';
import { remade } from './remade-provider.ts';
import { type LogLines, ReplayLog } from './replay-log.ts';
import { portsOf, Stage } from './stage.ts';

/** A recording with the log that was written meanwhile. */
export interface RecordedSession {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly log: LogLines;
  readonly fetch: Decoding['fetch'];
}

/** The product that is to give the same again. This code may be bundled apart from it. */
export interface ReplayedProduct {
  readonly openSession: typeof Session.open;
  readonly tools: readonly Tool[];
  readonly errors: ErrorClasses;
  readonly secrets: SecretFilter;
  readonly diffOf: DiffOf;
  readonly createProvider: typeof createProvider;
  /** As the recording has taken secrets out. */
  readonly mask: (text: string) => string;
}

export interface ReplayOptions {
  readonly product: ReplayedProduct;
  /** Resolves when whatever else is due in this process has had its turn. */
  readonly turn: () => Promise<void>;
  /** Waits until it is time for an entry; nothing where it need not be waited for. */
  readonly pace?: Pace | undefined;
  /** Sees what comes out. */
  readonly listener?: SessionListener;
  /** Sees what the ports gave. */
  readonly watch?: Watch;
}

export type ReplayResult =
  /**
   * `events` came out, each as it was recorded. `otherHashes`: of those, the ones with hashes of what holds a hidden secret.
   * `missing`: so many more are in the log, and not in the recording.
   */
  | {
      readonly equal: true;
      readonly events: number;
      readonly otherHashes: number;
      readonly missing: number;
    }
  | { readonly equal: false; readonly events: number; readonly divergence: Divergence };

/** Plays a recorded session through the session and the loop that there are now, and compares the log that comes out. */
export async function replaySession(
  recorded: RecordedSession,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const counter = { events: 0, otherHashes: 0 };
  let last: Part | undefined;
  try {
    for (const part of partsOf(recorded.entries)) {
      last = part;
      await playPart(recorded, part, options, counter);
    }
    if (!last) throw new Divergence(say('There is no session in this recording.'));
    return { equal: true, ...counter, missing: recorded.log.length - last.length };
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    return { equal: false, events: counter.events, divergence: error };
  }
}

/** What one process has recorded, from when it opened the session until it closed it or died. */
export interface Part {
  readonly opening: Opening;
  readonly entries: readonly Entry[];
  /** Of the log, afterwards. */
  length: number;
}

export function partsOf(entries: readonly Entry[]): Part[] {
  const parts: Part[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'open') continue;
    const next = entries.findIndex((other, place) => place > index && other.kind === 'open');
    parts.push({
      opening: entry,
      entries: entries.slice(index + 1, next < 0 ? undefined : next),
      length: entry.past,
    });
  }
  return parts;
}

async function playPart(
  { id, log: recorded, fetch }: RecordedSession,
  part: Part,
  options: ReplayOptions,
  counter: { events: number; otherHashes: number },
): Promise<void> {
  const { pace = () => undefined, turn, product, watch } = options;
  const { openSession, errors, mask } = product;
  const stage = new Stage();
  const playback = new Playback(part.entries, {
    fetch,
    errors,
    remake: (provider) => remade(provider, product),
    turn,
    pace,
    mask,
    watch,
    perform: (input, given) => stage.perform(input, given),
  });
  const log = new ReplayLog(id, {
    exchange: playback,
    recorded,
    past: part.opening.past,
    repairs: part.opening.repairs,
    diffOf: product.diffOf,
    hasHidden: part.entries.some((entry) => entry.kind === 'start' && entry.loose !== undefined),
    onDivergence: (divergence) =>
      playback.diverge(new Divergence(divergence.message, playback.next, divergence.diff)),
    onEvents: (events) => {
      counter.events += events.length;
    },
  });
  options.listener?.onEvents?.(counter.events === 0 ? log.past : []);
  stage.open(openSession(log, boundPorts(portsOf(part.opening, product), playback)), options.listener);
  await playback.play();
  part.length = log.length;
  counter.otherHashes += log.otherHashes;
}
