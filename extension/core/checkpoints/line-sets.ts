import type { FileState } from '../../protocol/events.ts';
import { linedText, MAX_TEXT } from '../base/text/encoding.ts';

/** Lines that are held in all. */
const MOST_LINES = 500_000;

/** Any file may have shorter lines, such as `} else {` or `return undefined;`. Letters and digits. */
const TELLING = 16;

/** Lines of a text that say anything, without what they are indented by. */
export type LineSet = ReadonlySet<string>;

/** Each content is cut into lines once, as long as there is room. */
export class LineSets {
  readonly #known = new Map<string, LineSet | undefined>();
  #lines = 0;

  /** Undefined for what is no text, or too large a one. `read` has the bytes with its hash. */
  async of(state: FileState, read: () => Promise<Uint8Array | undefined>): Promise<LineSet | undefined> {
    if (state.kind !== 'file' || state.size > MAX_TEXT) return undefined;
    const { hash } = state;
    if (this.#known.has(hash)) return this.#known.get(hash);
    const bytes = await read();
    const lines = bytes && lineSetOf(bytes);
    if (bytes) this.#remember(hash, lines);
    return lines;
  }

  #remember(hash: string, lines: LineSet | undefined): void {
    this.#lines += lines?.size ?? 0;
    if (this.#lines > MOST_LINES) {
      this.#known.clear();
      this.#lines = lines?.size ?? 0;
    }
    this.#known.set(hash, lines);
  }
}

export function lineSetOf(bytes: Uint8Array): LineSet | undefined {
  const lined = linedText(bytes);
  // Every byte is a character of some encoding: what is packed or sealed may look like one of these.
  if (!lined || (lined.encoding === 'latin1' && CONTROL.test(lined.text))) return undefined;
  return new Set(
    lined.text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /[\p{L}\p{N}]/u.test(line)),
  );
}

/** None that texts have. */
const CONTROL = /(?![\s\x80-\x9f])\p{Cc}/u;

/** A text that has lines of other files. */
export class LineHolder {
  readonly path: string;
  readonly #size: number;
  #held = 0;

  /** `size`: how many lines it has. */
  constructor(path: string, size: number) {
    this.path = path;
    this.#size = size;
  }

  /** It has this one, too. Tells whether it may be of those files by now: one line that says enough will do, or half of its lines. */
  holds(line: string): boolean {
    this.#held += 1;
    return 2 * this.#held >= this.#size || (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= TELLING;
  }
}
