import type { Hiding } from '../masking/masked-text.ts';

/** Of bytes, by their hash, that of what was kept of them; anew where more is hidden than then. */
export class KeptBytes {
  readonly #hiding: Hiding;
  readonly #kept = new Map<string, string>();

  constructor(hiding: Hiding) {
    this.#hiding = hiding;
  }

  get(hash: string): string | undefined {
    return this.#kept.get(this.#nameOf(hash));
  }

  set(hash: string, kept: string): void {
    this.#kept.set(this.#nameOf(hash), kept);
  }

  #nameOf(hash: string): string {
    return `${this.#hiding.known()} ${hash}`;
  }
}
