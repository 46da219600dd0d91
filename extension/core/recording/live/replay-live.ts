import type { SessionEvent } from '../../../protocol/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Root } from '../../ports/workspace.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import { boundPorts } from '../bound-ports.ts';
import { remade } from '../remade-provider.ts';
import {
  type Part,
  partsOf,
  type RecordedSession,
  type ReplayOptions,
  type ReplayResult,
  replaySession,
} from '../replay-session.ts';
import { portsOf, Stage } from '../stage.ts';
import { compareResults, type ResultComparison } from './compare-results.ts';
import { KnownFiles } from './known-files.ts';
import { LiveExchange } from './live-exchange.ts';
import { LiveLog } from './live-log.ts';

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
  const roots = recorded.entries.flatMap(({ read }) => read?.roots ?? []);
  // The workspace's first roots, as it told them.
  return { roots: (roots[0]?.[0] ?? []) as readonly Root[], known, result };
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
  const parts = partsOf(recorded.entries);
  const outcome = { denied: 0, events: [] as SessionEvent[] };
  for (const part of parts) await playPart(recorded, part, options, outcome);
  // Lines of a log that was read before.
  const before = recorded.log
    .slice(parts[0]?.opening.past ?? 0)
    .map((line) => JSON.parse(line) as SessionEvent);
  const isLoose = recorded.entries.some((entry) => entry.kind === 'start' && entry.loose !== undefined);
  const { diffOf } = options.product;
  return { ...compareResults(before, outcome.events, { diffOf, isLoose }), denied: outcome.denied };
}

async function playPart(
  { id, log: lines, fetch }: RecordedSession,
  { opening, entries }: Part,
  { product, turn, clock, ports, listener }: LiveReplayOptions,
  outcome: { denied: number; events: SessionEvent[] },
): Promise<void> {
  const stage = new Stage();
  const exchange = new LiveExchange(entries, {
    fetch,
    errors: product.errors,
    clock,
    turn,
    mask: product.mask,
    remake: (provider) => remade(provider, product),
    perform: (input, given) => stage.perform(input, given),
    onDenied: () => {
      outcome.denied += 1;
    },
  });
  const log = new LiveLog(id, lines.slice(0, opening.past), clock, (events) => {
    outcome.events.push(...events);
    exchange.appended();
  });
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
  const opened = product.openSession(log, boundPorts(live, exchange));
  stage.open(opened, listener);
  await exchange.play();
  await (await opened).close();
}
