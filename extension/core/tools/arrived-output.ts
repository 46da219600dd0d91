import type { OutputStream } from '../ports/shell.ts';

/** What the streams of a command say, in the order of arrival. */
export class ArrivedOutput {
  /** What one stream said until the other one did. */
  readonly #parts: { readonly stream: OutputStream; text: string }[] = [];

  add(stream: OutputStream, text: string): void {
    const last = this.#parts.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#parts.push({ stream, text });
  }

  /** `clean` gets what is of one stream alone. */
  text(clean: (text: string) => string): string {
    return this.#parts.map(({ text }) => clean(text)).join('');
  }
}
