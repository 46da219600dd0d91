// How much of the results of one reply the model reads.

/** Characters of one result. */
const MOST = 30_000;
/** Each result gets as many, so that a short error stays whole. */
const LEAST = 300;
/** Of the model's window, the part that the results of one reply may take. */
const SHARE = 0.25;
/** Characters of a token, by a cautious estimate for code. */
const CHARACTERS = 3.5;
/** Tokens. Assumed for a model whose window is unknown. */
const UNKNOWN_WINDOW = 64_000;

/** Divides the room among the calls of one reply. What one call leaves is there for those after it. */
export class ResultBudget {
  #room: number;
  #calls: number;

  /** `window`: the model's context window in tokens; undefined if unknown. */
  constructor(window = UNKNOWN_WINDOW, calls = 1) {
    this.#room = Math.floor(window * SHARE * CHARACTERS);
    this.#calls = calls;
  }

  /** Characters that the next result may have. */
  get limit(): number {
    const share = Math.floor(this.#room / Math.max(this.#calls, 1));
    return Math.max(LEAST, Math.min(MOST, share));
  }

  /** A result of `characters` is made. */
  take(characters: number): void {
    this.#room = Math.max(0, this.#room - characters);
    this.#calls -= 1;
  }
}
