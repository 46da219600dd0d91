// What the user does with one call that runs, without stopping the run.

/** A call that is being executed. */
class LiveCall {
  readonly #stop = new AbortController();
  readonly #move = new AbortController();

  /** `answer`: the user's answer to the call's question, if it asks one. */
  constructor(
    readonly id: string,
    readonly answer: string | undefined,
  ) {}

  /** Aborted when the user stops this call alone. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted when the user moves the call to the background. */
  get moved(): AbortSignal {
    return this.#move.signal;
  }

  act(action: CallAction): void {
    (action === 'stop' ? this.#stop : this.#move).abort();
  }
}

export type CallAction = 'stop' | 'background';

/** The calls of a run that are being executed. */
export class RunningCalls {
  readonly #calls = new Map<string, LiveCall>();

  /** Executes a call, which the user can act on until then. */
  async during<Output>(
    { id, answer }: Pick<LiveCall, 'id' | 'answer'>,
    execute: (call: LiveCall) => Promise<Output>,
  ): Promise<Output> {
    const call = new LiveCall(id, answer);
    this.#calls.set(id, call);
    try {
      return await execute(call);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Does nothing if the call has ended. */
  act(id: string, action: CallAction): void {
    this.#calls.get(id)?.act(action);
  }
}
