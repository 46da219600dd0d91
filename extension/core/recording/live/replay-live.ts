import { say } from '../../../protocol/say.ts';
import { MemorySessionLog } from '../../log/memory-session-log.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Policy, PolicyStore } from '../../ports/policy-store.ts';
import { MemoryBlobStore } from '../../ports/testing/memory-blob-store.ts';
import type { Root } from '../../ports/workspace.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import { type Decoding, decode } from '../encode.ts';
import type { Entry } from '../entry.ts';
import { interceptPorts } from '../ports/ports.ts';
import {
  eventOf,
  type Part,
  pastOf,
  type RecordedLog,
  type RecordedSession,
  readEventBatches,
  recordedParts,
} from '../recorded-session.ts';
import { recreateProvider } from '../replay/recreate-provider.ts';
import { type ReplayOptions, type ReplayResult, replaySession } from '../replay/replay-session.ts';
import { portsOf, Stage } from '../replay/stage.ts';
import { compareResults, type ResultComparison, Results } from './compare-results.ts';
import { KnownFiles } from './known-files.ts';
import { LiveExchange } from './live-interceptor.ts';

/** What a recording tells of what its session had before it. */
export interface KnownStart {
  readonly roots: readonly Root[];
  readonly known: KnownFiles;
  /** Of the playback that told it: where it is not equal, what comes behind the difference is not known. */
  readonly result: ReplayResult;
}

/** Plays a recording with nothing around it and looks what its ports gave. */
export async function knownStart(
  recorded: RecordedSession,
  options: Pick<ReplayOptions, 'product' | 'turn'>,
): Promise<KnownStart> {
  const known = new KnownFiles();
  const result = await replaySession(recorded, { ...options, watch: known });
  return { roots: await rootsOf(recorded), known, result };
}

/** The workspace's first roots, as it told them. */
async function rootsOf(recorded: RecordedSession): Promise<readonly Root[]> {
  for await (const entry of recorded.entries()) {
    const [first] = entry.kind === 'recording' ? [] : (entry.read?.roots ?? []);
    // What was read under this name.
    if (first) return first[0] as readonly Root[];
  }
  return [];
}

export interface LiveReplayOptions extends Pick<ReplayOptions, 'product' | 'turn' | 'listener'> {
  readonly clock: Clock;
  /** Files and commands, asked with recorded paths. */
  readonly ports: Pick<SessionPorts, 'workspace' | 'shell' | 'files' | 'scan'>;
}

export interface LiveResult extends ResultComparison {
  /** Actions that were denied, since they are others than those that were decided on. */
  readonly denied: number;
}

/** Plays a recorded session with its model and its user, and with files and commands that are real. */
export async function replayLive(recorded: RecordedSession, options: LiveReplayOptions): Promise<LiveResult> {
  const outcome: Outcome = {
    denied: 0,
    results: new Results(),
    blobs: new MemoryBlobStore(),
    first: undefined,
    isLoose: false,
  };
  for await (const part of recordedParts(recorded)) await playPart(recorded, part, options, outcome);
  const before = await recordedResults(recorded.log, outcome.first ?? 1);
  const comparing = { diffOf: options.product.diffOf, isLoose: outcome.isLoose };
  return { ...compareResults(before, outcome.results, comparing), denied: outcome.denied };
}

interface Outcome {
  denied: number;
  readonly results: Results;
  /** What was kept so far: the next process undoes with it what an earlier one has done. */
  blobs: BlobStore;
  /** Number of the first event that came. */
  first: number | undefined;
  /** A secret was hidden in the recording. */
  isLoose: boolean;
}

async function recordedResults(log: RecordedLog, first: number): Promise<Results> {
  const results = new Results();
  let seq = first;
  for await (const lines of readEventBatches(log, first, log.length)) {
    results.add(lines.map((line, index) => eventOf(line, seq + index)));
    seq += lines.length;
  }
  return results;
}

/** More entries of one process are not held. */
const MOST = 1_000_000;

async function allOf(entries: AsyncIterator<Entry>): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    all.push(next.value);
    if (all.length > MOST) throw new Error(say('This recording is too long to be played with live tools.'));
  }
  return all;
}

async function playPart(
  { log: recorded, fetch }: RecordedSession,
  part: Part,
  { product, turn, clock, ports, listener }: LiveReplayOptions,
  outcome: Outcome,
): Promise<void> {
  const stage = new Stage();
  const { opening } = part;
  const entries = await allOf(part.entries);
  outcome.first ??= opening.past + 1;
  outcome.isLoose ||= entries.some((entry) => entry.kind === 'start' && entry.loose !== undefined);
  const decoding = { fetch, errors: product.errors };
  const exchange = new LiveExchange(entries, {
    ...decoding,
    turn,
    mask: product.mask,
    remake: (provider) => recreateProvider(provider, product),
    perform: (input, given) => stage.perform(input, given),
    onDenied: () => {
      outcome.denied += 1;
    },
  });
  const { id, past: events } = await pastOf(part, recorded);
  const log = new MemorySessionLog(id, clock, { events, blobs: outcome.blobs }, (appended) => {
    outcome.results.add(appended);
    exchange.appended();
  });
  outcome.blobs = log.blobs;
  if (opening.past > 0) listener?.onEvents?.(log.past);
  const { workspace, shell, files, scan } = ports;
  const live = {
    ...portsOf(opening, product),
    workspace,
    shell,
    clock,
    ...(files && opening.has.includes('files') && { files }),
    ...(scan && opening.has.includes('scan') && { scan }),
  };
  const bound = interceptPorts(live, exchange);
  const policies = recordedPolicies(bound.policies, entries, decoding);
  const opened = product.openSession(log, { ...bound, policies });
  stage.open(opened, listener);
  await exchange.play();
  await (await opened).close();
}

/**
 * The approvals that were asked for in one opening of a session, each for any call: where a tool does something else than it
 * did, calls are decided on in another order. `policies` says when they cannot be read.
 */
export function recordedPolicies(
  policies: PolicyStore,
  entries: readonly Entry[],
  decoding: Decoding,
): PolicyStore {
  let all: Promise<readonly Policy[]> | undefined;
  return {
    load: async (scope) => {
      if (!(await policies.load(scope))) return undefined;
      all ??= policiesIn(entries, decoding);
      return (await all).filter((policy) => policy.scope === scope);
    },
    add: (policy) => policies.add(policy),
  };
}

async function policiesIn(entries: readonly Entry[], decoding: Decoding): Promise<readonly Policy[]> {
  const asked = new Set<number>();
  const found: Policy[] = [];
  for (const entry of entries) {
    if (entry.kind === 'start' && entry.name === 'policies.load') asked.add(entry.id);
    if (entry.kind !== 'end' || !asked.has(entry.id) || entry.value === undefined) continue;
    // What the port gave.
    found.push(...((await decode(entry.value, decoding)) as readonly Policy[]));
  }
  return found;
}
