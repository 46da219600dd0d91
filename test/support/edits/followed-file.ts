// The reference for edits: a file whose every line has an identity, which is followed through all changes.

export interface FollowedLine {
  readonly id: number;
  readonly text: string;
}

/** Lines from `start` on, counted from 0: `removed` of them give way to `added`. */
export interface FollowedSplice {
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
}

export class FollowedFile {
  /** The identity of the line that the model read last under each number. */
  readonly #read = new Map<number, number>();
  readonly #unread: (readonly [number: number, id: number])[] = [];
  #lines: readonly FollowedLine[] = [];
  #asRead: readonly FollowedLine[] = [];
  #next = 0;

  constructor(
    texts: readonly string[],
    readonly lineEnd: string,
  ) {
    this.change([{ start: 0, removed: 0, added: texts }]);
    this.#asRead = this.#lines;
  }

  get lines(): readonly FollowedLine[] {
    return this.#lines;
  }

  /** The lines at the last request. */
  get linesAsRead(): readonly FollowedLine[] {
    return this.#asRead;
  }

  get content(): string {
    return this.#lines.map(({ text }) => text + this.lineEnd).join('');
  }

  /** All added lines are new ones. The splices count in the lines before all of them. */
  change(splices: readonly FollowedSplice[]): void {
    // From the bottom up: a later insert stands below an earlier one, and above the range that begins there.
    const fromBottom = splices
      .map((splice, index) => ({ ...splice, index }))
      .toSorted((a, b) => b.start - a.start || b.removed - a.removed || b.index - a.index);
    for (const { start, removed, added } of fromBottom) {
      const lines = added.map((text) => ({ id: this.#next++, text }));
      this.#lines = this.#lines.toSpliced(start, removed, ...lines);
    }
  }

  /** A result shows these lines. Throws if a number has another text. */
  show(result: string): void {
    for (const [, number, text] of result.matchAll(/^\s*(\d+)→(.*)$/gm)) {
      const line = this.#lines[Number(number) - 1];
      if (!line || line.text !== text)
        throw new Error(`line ${number} is “${line?.text}”, and not “${text}”`);
      this.#unread.push([Number(number), line.id]);
    }
  }

  endReply(): void {
    for (const [number, id] of this.#unread) this.#read.set(number, id);
    this.#unread.length = 0;
    this.#asRead = this.#lines;
  }

  /** Where the lines of these numbers are now, from 0; undefined unless all are there, one below the other. */
  placeOf(first: number, last: number): number | undefined {
    const places = Array.from({ length: last - first + 1 }, (_, index) => this.#placeOf(first + index));
    const [start = -1] = places;
    return start >= 0 && places.every((place, index) => place === start + index) ? start : undefined;
  }

  #placeOf(number: number): number {
    const id = this.#read.get(number);
    return id === undefined ? -1 : this.indexOf(id);
  }

  indexOf(id: number | undefined): number {
    return this.#lines.findIndex((line) => line.id === id);
  }
}
