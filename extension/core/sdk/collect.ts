import type { Message, StopReason, Usage } from '../ports/model.ts';
import type { HarnessCall, HarnessError, HarnessEvent } from './events.ts';

export interface TurnResult {
  /** The answer. */
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly HarnessCall[];
  /** Of all requests together; absent if no request reported any. */
  readonly usage?: Usage | undefined;
  /** Absent after an error or an abort. */
  readonly stop?: StopReason | 'max_steps' | undefined;
  readonly error?: HarnessError | undefined;
  /** The conversation for the next turn: the messages that were sent, followed by those that came. */
  readonly messages: readonly Message[];
}

/** Collects the result of a turn and passes each event on. */
export class TurnCollector {
  /** Blocks since the last results; a retry takes them back. */
  #text: string[] = [];
  #thinking: string[] = [];
  #calls: HarnessCall[] = [];
  #kept: Pick<TurnResult, 'thinking' | 'calls'> = { thinking: '', calls: [] };
  #usage: Usage | undefined;
  #stop: TurnResult['stop'];
  #error: HarnessError | undefined;
  readonly #onEvent: (event: HarnessEvent) => void;

  constructor(onEvent: (event: HarnessEvent) => void) {
    this.#onEvent = onEvent;
  }

  readonly add = (event: HarnessEvent): void => {
    this.#take(event);
    this.#onEvent(event);
  };

  done(timestamp: number, stop: StopReason | 'max_steps'): void {
    this.add({ timestamp, type: 'done', stop });
  }

  result(messages: readonly Message[]): TurnResult {
    this.#keep();
    const { thinking, calls } = this.#kept;
    return {
      ...{ text: this.#text.join('\n\n'), thinking, calls, messages },
      ...{ usage: this.#usage, stop: this.#stop, error: this.#error },
    };
  }

  #take(event: HarnessEvent): void {
    switch (event.type) {
      case 'text':
        this.#text.push(event.text);
        break;
      case 'thinking':
        this.#thinking.push(event.text);
        break;
      case 'tool_call': {
        const { timestamp: _, type: _type, ...call } = event;
        this.#calls.push(call);
        break;
      }
      case 'tool_result':
        this.#keep();
        this.#text = [];
        break;
      case 'retry':
        this.#forget();
        break;
      case 'usage':
        this.#usage = this.#usage ? sum(this.#usage, event.usage) : event.usage;
        break;
      case 'error':
        this.#error = event.error;
        break;
      case 'done':
        this.#stop = event.stop;
    }
  }

  #keep(): void {
    const thinking = [this.#kept.thinking, ...this.#thinking].filter((text) => text !== '').join('\n\n');
    this.#kept = { thinking, calls: [...this.#kept.calls, ...this.#calls] };
    this.#thinking = [];
    this.#calls = [];
  }

  #forget(): void {
    this.#text = [];
    this.#thinking = [];
    this.#calls = [];
  }
}

function sum(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    reasoningTokens: known(left.reasoningTokens, right.reasoningTokens),
    cost: known(left.cost, right.cost),
  };
}

function known(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}
