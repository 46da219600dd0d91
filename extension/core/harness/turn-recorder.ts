import type { DeltaDraft, EventDraft, SessionEvent } from '../../protocol/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { MemorySessionLog } from '../ports/memory-session-log.ts';
import type { Message } from '../ports/model.ts';
import { Recorder } from '../session/recorder.ts';
import { Transcript } from '../session/transcript.ts';
import { fromSessionEvent, type HarnessEvent } from './events.ts';

/** What the loop writes into a session's log: here it lives as long as a turn, and is told as the events of a harness. */
export class TurnRecorder implements Pick<Recorder, 'append' | 'sync' | 'delta'> {
  /** How the newest reply ended. */
  stop = '';
  readonly append: Recorder['append'];
  readonly #transcript = new Transcript({ isContinuation: true });
  readonly #given: readonly Message[];
  readonly #clock: Clock;
  readonly #tell: (event: HarnessEvent) => void;

  constructor(given: readonly Message[], clock: Clock, logger: Logger, tell: (event: HarnessEvent) => void) {
    this.#given = given;
    this.#clock = clock;
    this.#tell = tell;
    const recorder = new Recorder(new MemorySessionLog('', clock), logger);
    recorder.subscribe({
      onEvents: (events) => {
        for (const event of events) this.#take(event);
      },
    });
    this.append = (...drafts) => recorder.append(...drafts.map(plainResult));
  }

  async sync(): Promise<void> {}

  delta(draft: DeltaDraft): void {
    const timestamp = this.#clock.now();
    if (draft.type === 'reasoning_delta') {
      this.#tell({ timestamp, type: 'thinking_delta', text: draft.text });
    } else if (draft.type !== 'tool_output_delta') this.#tell({ timestamp, ...draft });
  }

  /** What was given, and behind it what came. */
  messages(): readonly Message[] {
    return [...this.#given, ...this.#transcript.messages()];
  }

  #take(event: SessionEvent): void {
    this.#transcript.apply(event);
    if (event.type === 'request_ended') this.stop = event.stop;
    for (const told of fromSessionEvent(event)) this.#tell(told);
  }
}

/** What a handler answered, without the object that the tools of a session answer with. */
function plainResult(draft: EventDraft): EventDraft {
  if (draft.type !== 'tool_result') return draft;
  // The loop has written it: its own failures have an `error`, what a handler gave is `content`.
  const { content, error } = JSON.parse(draft.result) as { content?: string; error?: string };
  return { ...draft, result: content ?? error ?? '' };
}
