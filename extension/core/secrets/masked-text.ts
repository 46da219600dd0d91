// The chunks of a text, each with a mask for the part of a secret that is in it.
import { type SecretPolicy, StreamingSecretFilter } from './streaming-filter.ts';

/** A chunk of a text. */
export interface Part {
  readonly text: string;
  /** The same without secrets, character for character: as long as `text` when it is settled, shorter before. */
  masked: string;
}

export function isSettled({ text, masked }: Part): boolean {
  return masked.length === text.length;
}

class MaskedText {
  readonly #filter: StreamingSecretFilter;
  /** Those that are not settled. */
  #parts: Part[] = [];

  constructor(policy: SecretPolicy, isOutput: boolean) {
    this.#filter = new StreamingSecretFilter(policy, isOutput);
  }

  add(text: string): Part {
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

  /** Gives each part its share of what is settled now. */
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

/** Texts that come in chunks beside one another, each under its name. `policy` has to keep lengths. */
export class MaskedTexts {
  readonly #policy: SecretPolicy;
  readonly #isOutput: boolean;
  readonly #texts = new Map<string, MaskedText>();

  constructor(policy: SecretPolicy, isOutput = false) {
    this.#policy = policy;
    this.#isOutput = isOutput;
  }

  add(name: string, text: string): Part {
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

/** A piece that may hold a part of a secret. */
export interface HeldPiece {
  /** Nothing that comes later changes it. */
  readonly isSettled: boolean;
  /** The piece without secrets. */
  masked(): unknown;
}

/** `masked` gives the piece once `parts`, its texts, are settled. */
export function heldPiece(parts: readonly Part[], masked: () => unknown): HeldPiece {
  return {
    get isSettled() {
      return parts.every(isSettled);
    },
    masked,
  };
}

/** The pieces of one call, in their order. */
export abstract class MaskedPieces {
  protected readonly texts: MaskedTexts;

  constructor(policy: SecretPolicy, isOutput = false) {
    this.texts = new MaskedTexts(policy, isOutput);
  }

  /** Undefined for a piece that is looked at alone. */
  abstract add(piece: unknown): HeldPiece | undefined;

  /** Nothing comes any more. */
  end(): void {
    this.texts.end();
  }

  /** Does not wait any longer: what may be the beginning of a secret is hidden. */
  cut(): void {
    this.texts.cut();
  }
}
