import { JsonString } from './json-string.ts';
import { isSettled, type Part } from './masked-text.ts';
import type { MaskedTexts } from './masked-texts.ts';

/** A string in JSON, and whether it is the name of a field. */
const STRINGS = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
/** What tells texts from one another that come beside each other. */
const INDEXES = /index"\s*:\s*\d+/g;
/** The line itself, as it stands there. */
const LINE = '';

/** A line of an answer's body, and the strings of JSON in it. */
export class BodyLine {
  #text = '';
  #whole: Part | undefined;
  #strings: readonly JsonString[] = [];
  #masked: string | undefined;

  get length(): number {
    return this.#text.length;
  }

  /** Returns how long it is now. */
  add(text: string): number {
    this.#text += text;
    return this.#text.length;
  }

  /** All of it is there. */
  complete(texts: MaskedTexts): void {
    this.#whole = texts.add(LINE, this.#text);
    this.#strings = [...stringsIn(this.#text)].map(
      ({ name, raw, at }) => new JsonString(raw, at, (text) => texts.add(name, text)),
    );
  }

  get isSettled(): boolean {
    return (
      this.#whole !== undefined && isSettled(this.#whole) && this.#strings.every((string) => string.isSettled)
    );
  }

  /** Once it is settled. */
  masked(): string {
    const whole = this.#whole?.masked ?? '';
    this.#masked ??= this.#strings.reduce((text, string) => string.maskIn(text), whole);
    return this.#masked;
  }
}

/** The values of fields, with the names under which they go on in other lines. */
function* stringsIn(
  line: string,
): Generator<{ readonly name: string; readonly raw: string; readonly at: number }> {
  const indexes = line.match(INDEXES)?.join() ?? '';
  let name = '';
  for (const { index, 1: raw = '', 2: colon } of line.matchAll(STRINGS)) {
    if (colon !== undefined) name = `${raw} ${indexes}`;
    else if (raw !== '') yield { name, raw, at: index + 1 };
  }
}
