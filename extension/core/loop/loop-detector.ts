// Stops a model that makes the same failing call again and again. It does not recover by itself.
import { createHash } from 'node:crypto';
import { say } from '../../protocol/say.ts';
import type { ToolCall } from './reply.ts';
import type { Run } from './run.ts';
import type { ToolResult } from './tool-failure.ts';

/** After this many identical calls in a row with the same error, Harness informs the model. */
const NOTIFIED_AFTER = 3;
/** After this many, the run stops. */
const STOPPED_AFTER = 6;

/**
 * Counts how often in a row the run's newest call failed with the same error. A call that succeeds may
 * repeat, because it may be waiting for something.
 */
export class LoopDetector {
  #digest = '';
  #tool = '';
  #count = 0;
  #isNotified = false;

  add({ name, input }: ToolCall, { result, isError, end }: ToolResult): void {
    // The call was not run.
    if (end === 'skipped') return;
    const digest = isError ? digestOf([name, input, result]) : '';
    if (digest !== this.#digest) {
      this.#count = 0;
      this.#isNotified = false;
    }
    if (isError) this.#count += 1;
    this.#digest = digest;
    this.#tool = name;
  }

  /** Informs the model once. Resolves with true if the run must stop instead; the log says why. */
  async stop({ writer }: Pick<Run, 'writer'>): Promise<boolean> {
    if (this.#count >= STOPPED_AFTER) {
      await writer.append({ type: 'error', code: 'repeated_call', message: STOPPED, retryable: true });
      return true;
    }
    if (this.#count >= NOTIFIED_AFTER && !this.#isNotified) {
      this.#isNotified = true;
      await writer.append({ type: 'notice', ...wordsOf(this.#tool, this.#count) });
    }
    return false;
  }
}

const STOPPED = say(
  'Harness stopped because the model repeats the same call with the same error. Tell the model what to do instead, or let it continue.',
);

function digestOf(call: unknown): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('hex');
}

function wordsOf(tool: string, count: number) {
  return {
    message: say('The model called {0} in the same way {1} times and got the same error.', tool, count),
    toModel: `You have called ${tool} ${count} times in the same way and got the same error each time. It will not change. Do something else, or say what is in the way.`,
  };
}
