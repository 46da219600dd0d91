import { type Hiding, MaskedText, type Part } from './masked-text.ts';

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
