import { StringDecoder } from 'node:string_decoder';
import { withoutFirstWord, withoutLastWord } from '../../core/base/text/truncate.ts';

const TRUNCATED = '\n... (truncated)';

/**
 * Stores one output stream: at most `maxBytes` bytes, and no partial character. Of a longer one, the first and
 * the last half, because an output has its summary at its end.
 */
export class OutputBuffer {
  readonly #maxBytes: number;
  readonly #decoder = new StringDecoder('utf8');
  readonly #head: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** There was more output than the limit. */
  get isCut(): boolean {
    return this.#size > this.#maxBytes;
  }

  /** Returns the text that this chunk adds to the first `maxBytes`. */
  push(chunk: Uint8Array): string {
    const wasCut = this.isCut;
    const kept = chunk.subarray(0, Math.max(0, this.#maxBytes - this.#size));
    this.#size += chunk.length;
    if (kept.length > 0) this.#head.push(kept);
    if (kept.length < chunk.length) this.#pushTail(chunk.subarray(kept.length));
    return this.#decoder.write(kept) + (this.isCut && !wasCut ? TRUNCATED : '');
  }

  /** Returns the rest of a character that was never completed. */
  finish(): string {
    return this.isCut ? '' : this.#decoder.end();
  }

  text(): string {
    const kept = Buffer.concat(this.#head);
    if (!this.isCut) return kept.toString('utf8');
    const half = Math.floor(this.#maxBytes / 2);
    const head = kept.subarray(0, half);
    const tail = Buffer.concat([kept, ...this.#tail]).subarray(-half);
    const first = withoutLastWord(head.subarray(0, lastWholeCharacter(head)).toString('utf8'));
    const last = tail.subarray(firstWholeCharacter(tail), lastWholeCharacter(tail)).toString('utf8');
    const left = this.#size - 2 * half;
    return [first, `... (${left} bytes left out)`, withoutFirstWord(last) + TRUNCATED].join('\n');
  }

  /** Keeps as many chunks as the last half needs. */
  #pushTail(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#tailSize += chunk.length;
    while (this.#tailSize - (this.#tail[0]?.length ?? 0) >= this.#maxBytes / 2)
      this.#tailSize -= this.#tail.shift()?.length ?? 0;
  }
}

/** The index after the last character that is whole. */
export function lastWholeCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return back < lengthOf(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The bytes of a character that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

/** The index of the first byte that begins a character. */
export function firstWholeCharacter(bytes: Uint8Array): number {
  const index = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(index, 0);
}
