// Performs a program on a real session, and has every request of it checked as if it went to each of the speakers.

import { type ChainHead, hashLine, link } from '../../../extension/core/log/hash-chain.ts';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { Clock } from '../../../extension/core/ports/clock.ts';
import type { ModelEvent, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import type { SessionLog } from '../../../extension/core/ports/session-store.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import type { Session } from '../../../extension/core/session/session.ts';
import type { SessionPorts } from '../../../extension/core/session/session-ports.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { type Recorded, record } from '../recorded.ts';
import type { Reply, Step } from './program.ts';
import { eventOf, type Speaker, sealOf, speakers } from './speakers.ts';

/** Waits for nothing. */
export const hurriedClock: Clock = {
  now: () => 1_000,
  monotonic: () => 0,
  sleep: async () => {},
  yield: async () => {},
};

export interface Performance {
  /** What the servers would have refused. */
  readonly violations: readonly string[];
  /** Requests that were checked. */
  readonly checked: number;
  readonly events: readonly SessionEvent[];
}

export async function perform(steps: readonly Step[], ports: SessionPorts): Promise<Performance> {
  const stage = new Stage(ports);
  await stage.open(new MemorySessionLog('1', hurriedClock).past);
  for (const step of steps) await stage.play(step);
  return stage.end();
}

class Stage {
  readonly #ports: SessionPorts;
  readonly #violations: string[] = [];
  #checked = 0;
  readonly #recorded: Recorded[] = [];
  /** Whose last whole reply was paused. */
  #paused: Speaker | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  async open(past: readonly SessionEvent[]): Promise<void> {
    this.#recorded.push(await record(logWith(past), this.#ports));
  }

  async play(step: Step): Promise<void> {
    switch (step.type) {
      case 'prompt': {
        const attachments = ['a.png', 'missing.png'].slice(0, step.images);
        await this.#there.prompt(step.text, this.#settings(step), attachments);
        break;
      }
      case 'continue':
        // Before there is a prompt nobody is offered it.
        if (this.#there.events.some(({ type }) => type === 'user'))
          await this.#there.continue(this.#settings(step));
        break;
      case 'compact':
        // Rejects where there is nothing to compact.
        await this.#there.compact(this.#settings(step)).catch(() => undefined);
        break;
      case 'note':
        await this.#there.note('Undone.', step.text);
        break;
      case 'kill': {
        const { events } = this.#there;
        this.#paused = undefined;
        await this.open(events.slice(0, 1 + (step.kept % events.length)));
      }
    }
  }

  async end(): Promise<Performance> {
    await this.#there.prompt('And now?', this.#settings({ speaker: 0, fallback: undefined, replies: [] }));
    for (const recorded of this.#recorded) await recorded.expectEqualReplay();
    return { violations: this.#violations, checked: this.#checked, events: this.#there.events };
  }

  get #there(): Session {
    const { session } = this.#recorded.at(-1) ?? {};
    if (!session) throw new Error('The session is not open yet.');
    return session;
  }

  #settings({
    speaker,
    fallback,
    replies,
  }: Pick<Extract<Step, { type: 'prompt' }>, 'speaker' | 'fallback' | 'replies'>) {
    const script = [...replies];
    const settingsOf = (index: number) => async (): Promise<RunSettings> => {
      const chosen = speakerAt(index);
      return { ...SETTINGS, provider: this.#model(chosen, script), model: chosen.model };
    };
    const next = fallback === undefined ? {} : { fallback: settingsOf(fallback) };
    return async () => ({ ...(await settingsOf(speaker)()), ...next });
  }

  #model(speaker: Speaker, script: Reply[]): ModelProvider {
    return {
      name: speaker.provider,
      tools: speaker.tools,
      streamTurn: (turn) => this.#reply(turn, speaker, script.shift()),
      listModels: async () => [],
    };
  }

  async *#reply(turn: Turn, speaker: Speaker, reply = SHORT): AsyncGenerator<ModelEvent> {
    this.#check(turn, speaker);
    if (reply.meanwhile !== undefined) void this.#there.steer(reply.meanwhile, new AbortController().signal);
    for (const block of reply.blocks) {
      const event = eventOf(block, speaker);
      if (event) yield event;
    }
    yield* this.#ending(reply, speaker);
  }

  *#ending({ end, blocks }: Reply, speaker: Speaker): Generator<ModelEvent> {
    const stop = blocks.some(({ type }) => type === 'call') ? 'tool_calls' : 'end';
    switch (end) {
      case 'cancel':
        this.#there.cancel();
        return;
      case 'throw':
        throw new Error('A bug.');
      case 'silence':
        return;
      case 'overloaded':
      case 'auth':
        yield { type: 'error', error: { kind: end, message: 'No.', retryable: end === 'overloaded' } };
        return;
      case 'cut call':
        yield { type: 'done', stop: 'length', cutCall: 'write' };
        return;
      case 'pause':
        // Others know no pause.
        this.#paused = speaker.provider === 'anthropic' ? speaker : undefined;
        yield { type: 'done', stop: speaker.provider === 'anthropic' ? 'pause' : stop };
        return;
      default:
        this.#paused = undefined;
        yield { type: 'done', stop: end === 'end' ? stop : end };
    }
  }

  /** A reply that goes on is the business of who has paused it; everything else is one of all. */
  #check(turn: Turn, asked: Speaker): void {
    const goesOn = turn.messages.at(-1)?.role === 'assistant';
    const seals = speakers.map(sealOf);
    for (const speaker of goesOn ? [asked] : speakers) {
      const { raw, violation } = speaker.request({ ...turn, model: speaker.model }, this.#paused === speaker);
      const foreign = seals.filter((seal) => seal !== sealOf(speaker) && raw.includes(seal));
      if (violation !== undefined) this.#violations.push(`${speaker.provider}: ${violation}`);
      if (foreign.length > 0) this.#violations.push(`${speaker.provider} gets ${foreign}`);
      this.#checked++;
    }
  }
}

function speakerAt(index: number): Speaker {
  // There is at least one.
  return speakers[index % speakers.length] as Speaker;
}

const SHORT: Reply = {
  blocks: [{ type: 'text', text: 'Yes.', preamble: false }],
  end: 'end',
  meanwhile: undefined,
};

const SETTINGS = {
  system: 'Work \ud83d.',
  maxTokens: 4096,
  maxTurns: 6,
  maxToolCallsPerTurn: 3,
  timeoutMs: 30_000,
};

/** A log that was opened with these events in it. */
function logWith(past: readonly SessionEvent[]): SessionLog {
  let head: ChainHead = { seq: past.length, hash: hashLine(JSON.stringify(past.at(-1))) };
  return {
    id: '1',
    past,
    repairs: [],
    blobs: new MemoryBlobStore(),
    keep: () => {},
    append: async (drafts) =>
      drafts.map((draft) => {
        const next = link(head, draft, '1', 0);
        head = next.head;
        return next.event;
      }),
    load: async () => [],
    sync: async () => {},
    trouble: undefined,
    atWork: () => () => {},
    close: async () => {},
  };
}
