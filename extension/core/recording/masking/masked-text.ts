import { BEFORE } from '../../secrets/secret-patterns.ts';

/** What is hidden in a recording. */
export interface Hiding {
  /** Takes secrets out of a text, and leaves its length as it is. In what a command says, control characters are in nobody's way. */
  mask(text: string, isOutput?: boolean): string;
  /** Characters of a text in which nothing that may still come behind it changes what is a secret. */
  settledLength(text: string, isOutput?: boolean): number;
  /** Grows when more is hidden than before. */
  known(): number;
}

/** A part of a text that comes in parts. */
export interface Part {
  readonly text: string;
  /** The same without secrets, character for character: as long as `text` when that is settled, shorter before. */
  masked: string;
}

export function isSettled({ text, masked }: Part): boolean {
  return masked.length === text.length;
}

/** A text that comes in parts, with a mask for each secret in it, also for one of which no part has the whole. */
export class MaskedText {
  readonly #hiding: Hiding;
  readonly #isOutput: boolean;
  #parts: Part[] = [];
  /** Of `#parts`, what is not settled. */
  #open = '';
  #before = '';
  /** What came last, where it had no secret and nothing waits: the same again needs no look. */
  #harmless = '';

  constructor(hiding: Hiding, isOutput = false) {
    this.#hiding = hiding;
    this.#isOutput = isOutput;
  }

  add(text: string): Part {
    if (text === this.#harmless && this.#parts.length === 0) {
      this.#pass(text);
      return { text, masked: text };
    }
    const part = { text, masked: '' };
    this.#parts.push(part);
    this.#open += text;
    const end = this.#hiding.settledLength(this.#open, this.#isOutput);
    this.#settle(this.#open.slice(0, end), this.#masked.slice(0, end));
    this.#harmless = part.masked === text ? text : '';
    return part;
  }

  /** Nothing comes any more. */
  end(): void {
    this.#settle(this.#open, this.#masked);
  }

  /** Does not wait any more: what may be the beginning of a secret is taken for one. */
  cut(): void {
    this.#settle(this.#open, '~'.repeat(this.#open.length));
  }

  get #masked(): string {
    return this.#hiding.mask(this.#before + this.#open, this.#isOutput).slice(this.#before.length);
  }

  #settle(text: string, masked: string): void {
    this.#open = this.#open.slice(text.length);
    this.#pass(text);
    let at = 0;
    for (const part of this.#parts) {
      const piece = masked.slice(at, at + part.text.length - part.masked.length);
      part.masked += piece;
      at += piece.length;
    }
    this.#parts = this.#parts.filter((part) => !isSettled(part));
  }

  #pass(text: string): void {
    this.#before = (this.#before + text).slice(-BEFORE);
  }
}

/** Texts that come in parts beside one another, each under its name. */
export class MaskedTexts {
  readonly #hiding: Hiding;
  readonly #isOutput: boolean;
  readonly #texts = new Map<string, MaskedText>();

  constructor(hiding: Hiding, isOutput = false) {
    this.#hiding = hiding;
    this.#isOutput = isOutput;
  }

  add(name: string, text: string): Part {
    const found = this.#texts.get(name) ?? new MaskedText(this.#hiding, this.#isOutput);
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

/** A piece that may have a part of a secret. */
export interface HeldPiece {
  /** Nothing that comes later changes it. */
  readonly isSettled: boolean;
  /** The piece without secrets. */
  masked(): unknown;
}

/** The pieces of one call, in their order. */
export interface MaskedPieces {
  /** Undefined for a piece that is to be looked at alone. */
  add(piece: unknown): HeldPiece | undefined;
  /** Nothing comes any more. */
  end(): void;
  /** Does not wait any more: what may be the beginning of a secret is taken for one. */
  cut(): void;
}
