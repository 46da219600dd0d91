import type { Clock } from '../ports/clock.ts';
import type { ModelError, ModelEvent, Turn } from '../ports/model.ts';
import { ScriptedModel, type ScriptedReply } from '../ports/testing/scripted-model.ts';
import type { ProviderEntry } from '../providers/catalog.ts';
import { createHarness, type Harness } from './harness.ts';

export interface MockOptions {
  /** One reply for each request, in order. A request beyond them ends with an error. */
  readonly replies: readonly ScriptedReply[];
  readonly clock: Clock;
  /** Delay before each event, in milliseconds of the clock. */
  readonly eventDelayMs?: number;
  /** Ends each reply with this error after that many events. */
  readonly failure?: { readonly after: number; readonly error: ModelError } | undefined;
  /** The provider whose models the mock plays; a scripted one if absent. */
  readonly entry?: ProviderEntry;
}

export interface MockHarness extends Harness {
  /** The requests as they were sent. */
  readonly turns: readonly Turn[];
  /** The number of replies that were not requested. */
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
