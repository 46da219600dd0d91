import { isSettled, type MaskedPart, type MaskedTexts } from './masked-text.ts';
import { maskInRoom } from './masks.ts';

/** Matches a string in JSON. The second group is a colon if the string is the name of a field. */
const STRINGS = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
/** Distinguishes texts that arrive in parallel. */
const INDEXES = /index"\s*:\s*\d+/g;
/** The name under which the whole line is one of the texts. */
const LINE = '';

/** A line of a body with its JSON strings. */
export class BodyLine {
  #text = '';
  #whole: MaskedPart | undefined;
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

  /** Called when the whole line has arrived. */
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

  /** The caller must wait until the line is settled. */
  masked(): string {
    const whole = this.#whole?.masked ?? '';
    this.#masked ??= this.#strings.reduce((text, string) => string.maskIn(text), whole);
    return this.#masked;
  }
}

/** Yields the values of fields. A value continues in other lines under the same name. */
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

/** Matches one character or one escape of a JSON string. */
const CHARACTER = /\\u[0-9a-fA-F]{4}|\\.|./gs;
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string in JSON, with its escapes. A mask takes as much room there as the secret. */
export class JsonString {
  readonly #raw: string;
  readonly #at: number;
  readonly #part: MaskedPart;
  /** Where each character begins in `#raw`. Empty if the string has no escapes. */
  readonly #places: readonly number[];

  /** `raw` stands at index `at` of its line. `add` gets the decoded text. */
  constructor(raw: string, at: number, add: (text: string) => MaskedPart) {
    this.#raw = raw;
    this.#at = at;
    const { text, places } = raw.includes('\\') ? decoded(raw) : { text: raw, places: [] };
    this.#places = places;
    this.#part = add(text);
  }

  get isSettled(): boolean {
    return isSettled(this.#part);
  }

  /** Returns the line with the masks of this string. */
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
