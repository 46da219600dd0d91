import type { Clock } from '../ports/clock.ts';
import type { ModelEvent, ModelProvider, Turn } from '../ports/model.ts';
import type { TraceSink } from '../ports/trace-sink.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import { TurnLog } from './turn-trace.ts';

export const TRACE_LEVELS = ['off', 'events', 'wire'] as const;
/** What is written down: nothing, each turn with its events, or also what goes over the wire. */
export type TraceLevel = (typeof TRACE_LEVELS)[number];

export interface LoggerOptions {
  readonly sink: TraceSink;
  readonly clock: Clock;
  /** Asked at each turn; `events` where it is left out. */
  readonly level?: (() => TraceLevel) | undefined;
  /** Asked at each turn: texts that must not be written down, in whatever form. */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** Sees each event as it passes, as it is. */
  readonly onEvent?: ((event: ModelEvent) => void) | undefined;
}

/** The same provider, whose turns are written down. A harness that is made of it is logged with it. */
export function withLogger(provider: ModelProvider, options: LoggerOptions): ModelProvider {
  const { origin } = provider;
  return {
    ...provider,
    ...(origin && { origin: { ...origin, over: (bind) => withLogger(origin.over(bind), options) } }),
    name: provider.name,
    streamTurn: (turn, signal, hooks) => streamLogged(provider, options, turn, signal, hooks),
    listModels: (signal) => provider.listModels(signal),
  };
}

async function* streamLogged(
  provider: ModelProvider,
  { sink, clock, level = () => 'events', secrets = () => [], onEvent }: LoggerOptions,
  turn: Turn,
  signal: AbortSignal,
  hooks: WireHooks | undefined,
): AsyncGenerator<ModelEvent> {
  const wanted = level();
  if (wanted === 'off') return yield* provider.streamTurn(turn, signal, hooks);
  const log = new TurnLog(sink, clock, secrets());
  log.start(provider.name, turn);
  try {
    const watching = wanted === 'wire' ? log.hooks(hooks) : hooks;
    for await (const event of provider.streamTurn(turn, signal, watching)) {
      log.event(event);
      onEvent?.(event);
      yield event;
    }
  } finally {
    log.end(signal.aborted ? 'aborted' : 'left');
  }
}
