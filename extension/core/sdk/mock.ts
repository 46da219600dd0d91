import type { Clock } from '../ports/clock.ts';
import type { ModelError, ModelEvent, Turn } from '../ports/model.ts';
import { ScriptedModel, type ScriptedReply } from '../ports/testing/scripted-model.ts';
import type { ProviderEntry } from '../providers/catalog.ts';
import { createHarness, type Harness } from './harness.ts';

export interface MockOptions {
  /** One reply for each request, in their order. A request beyond them is told as an error. */
  readonly replies: readonly ScriptedReply[];
  readonly clock: Clock;
  /** Before each event, in milliseconds of the clock. */
  readonly eventDelayMs?: number;
  /** Each reply breaks off with this error behind so many events. */
  readonly failure?: { readonly after: number; readonly error: ModelError } | undefined;
  /** Whose models it plays; `demo` where it is left out. */
  readonly entry?: ProviderEntry;
}

export interface MockHarness extends Harness {
  /** What each request asked, as it was then. */
  readonly turns: readonly Turn[];
  /** Replies that were not asked for. */
  readonly unused: number;
}

/** A harness whose model follows a script: the real harness around a `ScriptedModel`. */
export function createMock({
  replies,
  clock,
  eventDelayMs = 0,
  failure,
  entry = MOCK,
}: MockOptions): MockHarness {
  const change = { clock, eventDelayMs, failure };
  const model = new ScriptedModel(...replies.map((reply) => changed(reply, change)));
  return {
    ...createHarness(model, entry, { clock }),
    turns: model.turns,
    get unused() {
      return model.unused;
    },
  };
}

const MOCK: ProviderEntry = {
  name: 'scripted',
  label: 'Scripted',
  protocol: 'demo',
  baseUrl: '',
  setting: '',
  models: [],
  images: false,
};

type Change = Pick<MockOptions, 'clock' | 'failure'> & { readonly eventDelayMs: number };

function changed(reply: ScriptedReply, { clock, eventDelayMs, failure }: Change): ScriptedReply {
  return async function* (turn: Turn, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let count = 0;
    for await (const event of typeof reply === 'function' ? reply(turn, signal) : reply) {
      if (failure && count++ >= failure.after) break;
      if (eventDelayMs > 0) await clock.sleep(eventDelayMs, signal);
      yield event;
    }
    if (failure) yield { type: 'error', error: failure.error };
  };
}
