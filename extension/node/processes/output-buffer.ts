import { StringDecoder } from 'node:string_decoder';
import { withoutLastWord } from '../../core/base/text/truncate.ts';

const TRUNCATED = '\n... (truncated)';

/** The beginning of one output stream: at most so many bytes, never half a character, and in the end no part of a word. */
export class OutputBuffer {
  readonly #decoder = new StringDecoder('utf8');
  readonly #pieces: string[] = [];
  #room: number;
  #truncated = false;

  constructor(maxBytes: number) {
    this.#room = maxBytes;
  }

  /** The text that this chunk adds; empty once the buffer is full. */
  push(chunk: Uint8Array): string {
    if (this.#truncated) return '';
    const kept = chunk.subarray(0, this.#room);
    this.#room -= kept.length;
    this.#truncated = kept.length < chunk.length;
    return this.#add(this.#decoder.write(kept)) + (this.#truncated ? TRUNCATED : '');
  }

  /** What is left of a character that was never completed. */
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
