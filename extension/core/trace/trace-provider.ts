import type { Clock } from '../ports/clock.ts';
import type { ModelEvent, ModelProvider, Turn } from '../ports/model.ts';
import type { TraceSink } from '../ports/trace-sink.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import { TurnLog } from './turn-trace.ts';

export const TRACE_LEVELS = ['off', 'events', 'wire'] as const;
/** What Harness logs: nothing, each turn with its events, or also the traffic on the wire. */
export type TraceLevel = (typeof TRACE_LEVELS)[number];

export interface LoggerOptions {
  readonly sink: TraceSink;
  readonly clock: Clock;
  /** Called at each turn. The default is `events`. */
  readonly level?: (() => TraceLevel) | undefined;
  /** Called at each turn. Returns texts that must never be logged, in any encoding. */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** Gets each event unmasked, before the caller of the provider gets it. */
  readonly onEvent?: ((event: ModelEvent) => void) | undefined;
}

/** Returns the same provider with a log of its turns. Covers providers from `origin.over` too. */
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
