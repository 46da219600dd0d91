import type { Entry, EntryOf, Plain } from '../entry.ts';
import { maskedPieces } from '../masking/masked-pieces.ts';
import type { HeldPiece, Hiding, MaskedPieces } from '../masking/masked-text.ts';

/** More entries do not wait. */
const MOST = 4_000;

interface Waiting {
  readonly entry: Entry;
  readonly held: HeldPiece | undefined;
}

export interface HeldEntriesOptions {
  readonly hiding: Hiding;
  /** Gets the entries in their order. */
  readonly write: (entry: Entry) => void;
  /** Plain data for a value, without secrets. */
  readonly encode: (value: unknown) => Plain;
  /** The same for one in which they are hidden already. */
  readonly encodeMasked: (value: unknown) => Plain;
}

/**
 * Entries on their way to a recording. A piece that may have a part of a secret waits for the rest of that, and what comes
 * behind it waits with it, so that their order holds.
 */
export class HeldEntries {
  readonly #options: HeldEntriesOptions;
  /** Of calls that give something in pieces. */
  readonly #pieces = new Map<number, MaskedPieces>();
  readonly #waiting: Waiting[] = [];

  constructor(options: HeldEntriesOptions) {
    this.#options = options;
  }

  /** Call `id` of the port `name` will give pieces. */
  begin(id: number, name: string): void {
    this.#pieces.set(id, maskedPieces(name, this.#options.hiding));
  }

  /** A call gives no pieces any more. */
  end(id: number): void {
    this.#pieces.get(id)?.end();
    this.#pieces.delete(id);
    this.#writeSettled();
  }

  add(entry: Entry): void {
    this.#hold({ entry, held: undefined });
  }

  /** `entry` is that of `piece`, without it. */
  addPiece(entry: EntryOf<'piece'>, piece: unknown): void {
    const held = this.#pieces.get(entry.id)?.add(piece);
    this.#hold({ entry: held ? entry : { ...entry, value: this.#options.encode(piece) }, held });
  }

  /** Nothing comes any more. */
  close(): void {
    for (const id of this.#pieces.keys()) this.end(id);
  }

  #hold(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#waiting.length > MOST) for (const pieces of this.#pieces.values()) pieces.cut();
    this.#writeSettled();
  }

  #writeSettled(): void {
    for (let [next] = this.#waiting; next && next.held?.isSettled !== false; [next] = this.#waiting) {
      const { entry, held } = next;
      this.#options.write(
        held ? ({ ...entry, value: this.#options.encodeMasked(held.masked()) } as Entry) : entry,
      );
      this.#waiting.shift();
    }
  }
}
