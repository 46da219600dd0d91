import { ToolError } from '../base/tool-error.ts';
import { attemptReply } from '../loop/stream-reply.ts';
import { TurnCollector, type TurnResult } from './collect.ts';
import type { HarnessEvent } from './events.ts';
import { createRun, type Workbench } from './harness-run.ts';

/** One request and its reply, without retries. */
export async function* streamSingleTurn(
  workbench: Workbench,
  signal: AbortSignal,
): AsyncGenerator<HarnessEvent> {
  const left = new AbortController();
  const queue = new EventQueue<HarnessEvent>();
  const work = performTurn(workbench, AbortSignal.any([signal, left.signal]), (event) => queue.add(event));
  const ended = work.finally(() => queue.end());
  try {
    yield* queue;
  } finally {
    left.abort();
    await ended;
  }
}

/** The same turn, collected. */
export function collectSingleTurn(workbench: Workbench, signal: AbortSignal): Promise<TurnResult> {
  return performTurn(workbench, signal, () => {});
}

async function performTurn(
  workbench: Workbench,
  signal: AbortSignal,
  onEvent: (event: HarnessEvent) => void,
): Promise<TurnResult> {
  const collector = new TurnCollector(onEvent);
  const tools = workbench.request.tools.map((spec) => ({ ...spec, prepare: notRun }));
  const part = {
    tools,
    gate: { authorize: notRun, askUser: notRun },
    maxTurns: 1,
    signal,
    onEvent: collector.add,
  };
  const run = createRun(workbench, part);
  const reply = await attemptReply(run);
  if (signal.aborted) reply.end('cancelled');
  else if (reply.error) {
    const { kind, message, retryable } = reply.error;
    reply.end('discarded');
    await run.writer.append({ type: 'error', code: kind, message, retryable });
  } else {
    reply.end(reply.stop === 'refusal' ? 'refused' : 'completed');
    await run.writer.flush();
    collector.done(workbench.clock.now(), reply.stop ?? 'end');
  }
  return collector.result(run.writer.messages());
}

/** The caller of the turn runs its calls. */
async function notRun(): Promise<never> {
  throw new ToolError('not run', { code: 'skipped' });
}

/** Turns emitted events into an async stream. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  #waiting: Event[] = [];
  #isEnded = false;
  #wake = () => {};

  add(event: Event): void {
    this.#waiting.push(event);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    while (!this.#isEnded || this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      yield* events;
      if (this.#waiting.length === 0 && !this.#isEnded) await this.#more();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
