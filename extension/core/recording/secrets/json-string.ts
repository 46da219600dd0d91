import { maskInRoom } from '../../secrets/masks.ts';
import { isSettled, type Part } from './masked-text.ts';

/** One character, as it stands there. */
const CHARACTER = /\\u[0-9a-fA-F]{4}|\\.|./gs;
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string as it stands in JSON, in which what is hidden keeps the room that it had there. */
export class JsonString {
  readonly #raw: string;
  readonly #at: number;
  readonly #part: Part;
  /** Of each of its characters, where in `#raw` it begins; empty where that is its own place. */
  readonly #places: readonly number[];

  /** `raw` stands at `at` in its line; `add` gets what it says. */
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

  /** The line with what is hidden in the string. */
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
