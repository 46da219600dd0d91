import type { ModelEvent, Turn, Usage } from './model.ts';
import type { WireRequest, WireResponse } from './wire-hooks.ts';

/** How a turn ended: with its last event, by its signal, or because the caller left the stream. */
export type TurnOutcome = 'done' | 'error' | 'aborted' | 'left';

/** The records of a turn, in this order, without keys. `ts` is an ISO 8601 time. */
export type TraceRecord = { readonly ts: string } & (
  | { readonly type: 'turn_start'; readonly version: 1; readonly provider: string; readonly turn: Turn }
  | { readonly type: 'request'; readonly request: WireRequest }
  | { readonly type: 'response'; readonly response: WireResponse }
  /** Bytes of the body, as text. */
  | { readonly type: 'wire'; readonly text: string }
  /** What the provider sent, parsed, before its translation. */
  | { readonly type: 'raw_event'; readonly event: unknown }
  /**
   * An event of the turn: `kind` is its `type`. `latency_ms` is the time since the record of the event before
   * it.
   */
  | ({ readonly type: 'event'; readonly kind: ModelEvent['type']; readonly latency_ms: number } & Readonly<
      Record<string, unknown>
    >)
  | {
      readonly type: 'turn_end';
      readonly outcome: TurnOutcome;
      readonly usage?: Usage | undefined;
      readonly total_ms: number;
    }
  /** The log has become too long and misses the later records. */
  | { readonly type: 'cut' }
);

/** Where the logs of turns go. It never throws and never makes a turn wait. What it cannot store is lost. */
export interface TraceSink {
  /** Begins the log of one turn. */
  open(): TurnSink;
}

export interface TurnSink {
  write(record: TraceRecord): void;
  /** Ends the log. */
  close(): void;
}
