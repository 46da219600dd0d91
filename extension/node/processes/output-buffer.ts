import { StringDecoder } from 'node:string_decoder';
import { withoutLastWord } from '../../core/base/text/truncate.ts';

const TRUNCATED = '\n... (truncated)';

/**
 * Stores the beginning of one output stream: at most `maxBytes` bytes, and no partial character. A cut text
 * does not end within a word.
 */
export class OutputBuffer {
  readonly #decoder = new StringDecoder('utf8');
  readonly #pieces: string[] = [];
  #room: number;
  #truncated = false;

  constructor(maxBytes: number) {
    this.#room = maxBytes;
  }

  /** Returns the text that this chunk adds; empty once the buffer is full. */
  push(chunk: Uint8Array): string {
    if (this.#truncated) return '';
    const kept = chunk.subarray(0, this.#room);
    this.#room -= kept.length;
    this.#truncated = kept.length < chunk.length;
    return this.#add(this.#decoder.write(kept)) + (this.#truncated ? TRUNCATED : '');
  }

  /** Returns the rest of a character that was never completed. */
  finish(): string {
    return this.#truncated ? '' : this.#add(this.#decoder.end());
  }

  text(): string {
    const text = this.#pieces.join('');
    return this.#truncated ? withoutLastWord(text) + TRUNCATED : text;
  }

  #add(text: string): string {
    this.#pieces.push(text);
    return text;
  }
}
