// Which lines of a file the model means by the line numbers that it has read.

/** Lines `first` to `last`, counted from 1, both included. */
export interface ShownLines {
  readonly first: number;
  readonly last: number;
}

/** Lines `start` to `end` (exclusive) are replaced with `added` lines. All count from 1. */
export interface LineSplice {
  readonly start: number;
  readonly end: number;
  readonly added: number;
}

/** By the numbers from `number` on, the model means the `count` lines from `line` on of the current file. */
interface Segment {
  readonly number: number;
  readonly line: number;
  readonly count: number;
}

/** Segments beyond this are forgotten, the oldest first; their lines must be read again. */
const MAX_SEGMENTS = 200;

/**
 * The line numbers that the model has read, and where their lines are now. A number means the line that the
 * model saw last under it. What it has not yet seen, because it belongs to the reply that it just wrote,
 * counts from the next request on.
 */
export class LineView {
  /** No two segments share a number. */
  readonly #read: readonly Segment[];
  /** In the order in which the model will read them; a later one overrides an earlier one. */
  readonly #unread: readonly Segment[];

  private constructor(read: readonly Segment[], unread: readonly Segment[]) {
    this.#read = read;
    this.#unread = unread;
  }

  static readonly empty = new LineView([], []);

  /** The model wrote the whole file, so it knows its lines without a result. */
  static whole(lines: number): LineView {
    return new LineView(lines > 0 ? [{ number: 1, line: 1, count: lines }] : [], []);
  }

  /** From `toNumbers`. The model has read everything. */
  static fromNumbers(numbers: readonly number[]): LineView {
    const segments: Segment[] = [];
    for (let at = 0; at + 2 < numbers.length; at += 3) {
      const [number = 0, line = 0, count = 0] = numbers.slice(at, at + 3);
      segments.push({ number, line, count });
    }
    return new LineView(segments, []);
  }

  /** Number, line and count of each segment, as if the model had read everything. */
  toNumbers(): number[] {
    return this.afterRequest().#read.flatMap(({ number, line, count }) => [number, line, count]);
  }

  /** The next result shows these lines with their current numbers. */
  withShown({ first, last }: ShownLines): LineView {
    if (last < first) return this;
    return new LineView(this.#read, [
      ...this.#unread,
      { number: first, line: first, count: last - first + 1 },
    ]);
  }

  /** The model has read the results. */
  afterRequest(): LineView {
    if (this.#unread.length === 0) return this;
    const read = this.#unread.reduce<readonly Segment[]>(
      (segments, shown) => [...segments.flatMap((segment) => withoutNumbers(segment, shown)), shown],
      this.#read,
    );
    return new LineView(joined(read).slice(-MAX_SEGMENTS), []);
  }

  /** After the splices, whose lines are those of the file before all of them. They must not overlap. */
  afterSplices(splices: readonly LineSplice[]): LineView {
    const fromBottom = splices.toSorted((a, b) => b.start - a.start || b.end - a.end);
    return fromBottom.reduce<LineView>((view, splice) => {
      const move = (segments: readonly Segment[]) =>
        segments.flatMap((segment) => afterSplice(segment, splice));
      return new LineView(move(view.#read), move(view.#unread));
    }, this);
  }

  /** The model has read these lines of the current file, under any number. */
  hasRead({ first, last }: ShownLines): boolean {
    for (let line = first; line <= last; ) {
      const at = line;
      const segment = this.#read.find((each) => at >= each.line && at < each.line + each.count);
      if (!segment) return false;
      line = segment.line + segment.count;
    }
    return true;
  }

  /** Where the lines of these numbers are now; undefined unless the model has read all and they are adjacent. */
  currentLines({ first, last }: ShownLines): ShownLines | undefined {
    const start = this.#lineOf(first);
    if (start === undefined) return undefined;
    for (let number = first, line = start; number <= last; ) {
      const segment = this.#segmentOf(number);
      if (!segment || segment.line + number - segment.number !== line) return undefined;
      const next = segment.number + segment.count;
      line += next - number;
      number = next;
    }
    return { first: start, last: start + last - first };
  }

  /** The lines of the current file that the model has read under any number. */
  get isEmpty(): boolean {
    return this.#read.length === 0 && this.#unread.length === 0;
  }

  #lineOf(number: number): number | undefined {
    const segment = this.#segmentOf(number);
    return segment && segment.line + number - segment.number;
  }

  #segmentOf(number: number): Segment | undefined {
    return this.#read.find((segment) => number >= segment.number && number < segment.number + segment.count);
  }
}

/** The parts of `segment` whose numbers `shown` does not have. */
function withoutNumbers(segment: Segment, shown: Segment): Segment[] {
  const before = Math.min(shown.number - segment.number, segment.count);
  const from = shown.number + shown.count - segment.number;
  return [part(segment, 0, before), part(segment, Math.max(from, 0), segment.count)].filter(hasLines);
}

/** Drops the lines that the splice replaces, and moves those after it. */
function afterSplice(segment: Segment, { start, end, added }: LineSplice): Segment[] {
  const kept = part(segment, 0, Math.min(start - segment.line, segment.count));
  const rest = part(segment, Math.max(end - segment.line, 0), segment.count);
  return [kept, { ...rest, line: rest.line + added - (end - start) }].filter(hasLines);
}

function part({ number, line }: Segment, from: number, to: number): Segment {
  return { number: number + from, line: line + from, count: to - from };
}

function hasLines({ count }: Segment): boolean {
  return count > 0;
}

/** Joins neighbors, so that reads of one part after the other stay one segment. */
function joined(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    const isNext =
      last && last.number + last.count === segment.number && last.line + last.count === segment.line;
    if (isNext) result[result.length - 1] = { ...last, count: last.count + segment.count };
    else result.push(segment);
  }
  return result;
}
