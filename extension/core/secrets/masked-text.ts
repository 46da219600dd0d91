// Masks a text that arrives in chunks. Each chunk gets its part of a mask.
import { type SecretPolicy, StreamingSecretFilter } from './streaming-filter.ts';

/** A chunk of a text. */
export interface MaskedPart {
  readonly text: string;
  /** The masked text. It is as long as `text` once it is settled, and shorter before. */
  masked: string;
}

export function isSettled({ text, masked }: MaskedPart): boolean {
  return masked.length === text.length;
}

class MaskedText {
  readonly #filter: StreamingSecretFilter;
  /** The chunks that are not settled, in order. */
  #parts: MaskedPart[] = [];

  constructor(policy: SecretPolicy, isOutput: boolean) {
    this.#filter = new StreamingSecretFilter(policy, isOutput);
  }

  add(text: string): MaskedPart {
    const part = { text, masked: '' };
    this.#parts.push(part);
    this.#fill(this.#filter.push(text));
    return part;
  }

  end(): void {
    this.#fill(this.#filter.end());
  }

  cut(): void {
    this.#fill(this.#filter.cut());
  }

  /** Distributes settled text over the chunks. */
  #fill(masked: string): void {
    let at = 0;
    for (const part of this.#parts) {
      const share = masked.slice(at, at + part.text.length - part.masked.length);
      part.masked += share;
      at += share.length;
    }
    this.#parts = this.#parts.filter((part) => !isSettled(part));
  }
}

/** Texts that arrive in parallel, each under its name. `policy` must keep lengths. */
export class MaskedTexts {
  readonly #policy: SecretPolicy;
  readonly #isOutput: boolean;
  readonly #texts = new Map<string, MaskedText>();

  constructor(policy: SecretPolicy, isOutput = false) {
    this.#policy = policy;
    this.#isOutput = isOutput;
  }

  add(name: string, text: string): MaskedPart {
    const found = this.#texts.get(name) ?? new MaskedText(this.#policy, this.#isOutput);
    this.#texts.set(name, found);
    return found.add(text);
  }

  end(): void {
    for (const text of this.#texts.values()) text.end();
  }

  cut(): void {
    for (const text of this.#texts.values()) text.cut();
  }
}

/** A piece that may contain a part of a secret. */
export interface HeldPiece {
  /** No later piece changes it. */
  readonly isSettled: boolean;
  /** The piece without secrets. */
  masked(): unknown;
}

/** `masked` returns the piece once `parts`, its texts, are settled. */
export function heldPiece(parts: readonly MaskedPart[], masked: () => unknown): HeldPiece {
  return {
    get isSettled() {
      return parts.every(isSettled);
    },
    masked,
  };
}

/** The pieces of one call, in order. */
export abstract class MaskedPieces {
  protected readonly texts: MaskedTexts;

  constructor(policy: SecretPolicy, isOutput = false) {
    this.texts = new MaskedTexts(policy, isOutput);
  }

  /** Undefined if the piece is masked alone. */
  abstract add(piece: unknown): HeldPiece | undefined;

  /** No more pieces follow. */
  end(): void {
    this.texts.end();
  }

  /** Stops waiting: hides every open beginning of a secret. */
  cut(): void {
    this.texts.cut();
  }
}
