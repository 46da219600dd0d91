/** From events that are told as they happen to a stream of them. */
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
