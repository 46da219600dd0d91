import { overlap } from '../secrets/overlap.ts';

/** A text that is a part of a longer one, with the way to put another in its place. */
export interface Piece {
  readonly text: string;
  replace(text: string): void;
}

/** Finds secrets that come in pieces: in each of them is too little of one to be found alone. */
export class SplitSecrets {
  readonly #forms: readonly string[];
  /** By the name of the text that they are pieces of: those in whose end a secret may have begun. */
  readonly #open = new Map<string, Piece[]>();

  constructor(forms: readonly string[]) {
    this.#forms = forms;
  }

  /** What came last may be the beginning of a secret. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The next piece of a text. True where it completed a secret, which was then taken out of its pieces. */
  add(name: string, piece: Piece): boolean {
    const pieces = [...(this.#open.get(name) ?? []), piece];
    const whole = pieces.map(({ text }) => text).join('');
    const found = this.#forms.find((form) => whole.includes(form));
    if (found !== undefined) takeOut(pieces, whole.indexOf(found), found.length);
    const begun = found === undefined ? this.#beginning(whole) : 0;
    if (begun > 0) this.#open.set(name, lastPieces(pieces, begun));
    else this.#open.delete(name);
    return found !== undefined;
  }

  /** How many characters at the end of a text are the beginning of a secret. */
  #beginning(text: string): number {
    return Math.max(0, ...this.#forms.map((form) => overlap(text, form)));
  }
}

/** Those that hold the last `length` characters. */
function lastPieces(pieces: readonly Piece[], length: number): Piece[] {
  let left = length;
  const from = pieces.findLastIndex(({ text }) => {
    left -= text.length;
    return left <= 0;
  });
  return pieces.slice(from);
}

function takeOut(pieces: readonly Piece[], start: number, length: number): void {
  let offset = 0;
  for (const { text, replace } of pieces) {
    const from = Math.max(0, start - offset);
    const to = Math.max(0, start + length - offset);
    if (to > 0 && from < text.length) {
      replace(`${text.slice(0, from)}${start >= offset ? '…' : ''}${text.slice(to)}`);
    }
    offset += text.length;
  }
}
