import { isSettled, type MaskedTexts, type Part } from './masked-text.ts';
import { maskInRoom } from './masks.ts';

/** A string in JSON, and whether it is the name of a field. */
const STRINGS = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
/** Tells texts apart that come beside one another. */
const INDEXES = /index"\s*:\s*\d+/g;
/** The name of the line itself among the texts. */
const LINE = '';

/** A line of a body, and the strings of JSON in it. */
export class BodyLine {
  #text = '';
  #whole: Part | undefined;
  #strings: readonly JsonString[] = [];
  #masked: string | undefined;

  get length(): number {
    return this.#text.length;
  }

  /** Returns the length of the line so far. */
  add(text: string): number {
    this.#text += text;
    return this.#text.length;
  }

  /** The whole line is there. */
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

  /** To be called when the line is settled. */
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

/** One character, as it stands there. */
const CHARACTER = /\\u[0-9a-fA-F]{4}|\\.|./gs;
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string as it stands in JSON. A mask takes the same room there as the secret. */
export class JsonString {
  readonly #raw: string;
  readonly #at: number;
  readonly #part: Part;
  /** Where each character begins in `#raw`. Empty where the string has no escapes. */
  readonly #places: readonly number[];

  /** `raw` stands at `at` in its line. `add` gets the text that it stands for. */
  constructor(raw: string, at: number, add: (text: string) => Part) {
    this.#raw = raw;
    this.#at = at;
    const { text, places } = raw.includes('\\') ? decoded(raw) : { text: raw, places: [] };
    this.#places = places;
    this.#part = add(text);
  }

  get isSettled(): boolean {
    return isSettled(this.#part);
  }

  /** The line with the masks of this string. */
  maskIn(line: string): string {
    const { text, masked } = this.#part;
    if (masked === text) return line;
    return line.slice(0, this.#at) + this.#masked + line.slice(this.#at + this.#raw.length);
  }

  get #masked(): string {
    const { text, masked } = this.#part;
    if (this.#places.length === 0) return masked;
    let out = '';
    for (let index = 0; index < text.length; index += 1) {
      const raw = this.#raw.slice(this.#places[index], this.#places[index + 1]);
      out += masked[index] === text[index] ? raw : maskInRoom(masked.charAt(index), raw.length);
    }
    return out;
  }
}

function decoded(raw: string): { readonly text: string; readonly places: readonly number[] } {
  const places: number[] = [];
  const text = raw.replace(CHARACTER, (character, at: number) => {
    places.push(at);
    return character.length === 1 ? character : characterOf(character);
  });
  return { text, places };
}

function characterOf(escaped: string): string {
  if (escaped[1] === 'u' && escaped.length === 6)
    return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
  return SHORT[escaped[1] ?? ''] ?? escaped[1] ?? '';
}
