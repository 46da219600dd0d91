// Describes a file as the pieces that it shares with an earlier version, and the bytes between them.

/** Size of the blocks by which versions are compared, in bytes. A shorter shared run is written out. */
const BLOCK = 32;
/** Bytes that one native comparison covers. */
const STRIDE = 4_096;
const FACTOR = 0x01000193;
/** The factor of the oldest byte in the hash of a block. */
const OLDEST = Array.from({ length: BLOCK - 1 }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

/**
 * Takes `length` bytes of the base from `offset` on. If `offset` is undefined, takes bytes of the target from
 * `at` on.
 */
interface Piece {
  readonly offset: number | undefined;
  readonly at: number;
  readonly length: number;
}

/**
 * Describes `target` by pieces of `base` and its own bytes. Time and memory grow only with the length of the
 * two. For example, base `abc` and target `abXc` give 05 00 (2 bytes from offset 0), 02 58 (`X`), 03 02 (1
 * byte from offset 2).
 */
export function createByteDelta(base: Uint8Array, target: Uint8Array): Buffer {
  const start = commonStart(base, target);
  const end = commonEnd(base, target, start);
  const pieces: Piece[] = [
    { offset: 0, at: 0, length: start },
    ...piecesBetween(base.subarray(start, base.length - end), target, start, target.length - end),
    { offset: base.length - end, at: target.length - end, length: end },
  ];
  const written = pieces.filter(({ length }) => length > 0);
  return Buffer.concat(written.flatMap((piece) => write(piece, target)));
}

/** Rebuilds the target. Throws RangeError where the two do not belong together. */
export function applyByteDelta(base: Uint8Array, delta: Uint8Array): Buffer {
  const pieces: Uint8Array[] = [];
  const reader = new NumberReader(delta);
  while (!reader.isAtEnd) {
    const head = reader.next();
    const length = Math.floor(head / 2);
    pieces.push(head % 2 === 1 ? take(base, reader.next(), length) : reader.bytes(length));
  }
  return Buffer.concat(pieces);
}

function piecesBetween(base: Uint8Array, target: Uint8Array, from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  const blocks = new BlockIndex(base);
  let literal = from;
  let at = from;
  let hash = hashOf(target, at);
  while (at + BLOCK <= to) {
    const found = blocks.find(hash, target, at);
    if (found === undefined) {
      hash = roll(hash, target[at] ?? 0, target[at + BLOCK] ?? 0);
      at += 1;
      continue;
    }
    const back = commonBefore(base, found, target, at, literal);
    const length = back + commonFrom(base, found, target, at, to);
    pieces.push({ offset: undefined, at: literal, length: at - back - literal });
    pieces.push({ offset: from + found - back, at: at - back, length });
    at += length - back;
    literal = at;
    hash = hashOf(target, at);
  }
  pieces.push({ offset: undefined, at: literal, length: to - literal });
  return pieces;
}

/** Positions of the blocks of a base, by their hashes. Of the blocks in one slot, the first counts. */
class BlockIndex {
  readonly #base: Uint8Array;
  readonly #slots: Int32Array;

  constructor(base: Uint8Array) {
    this.#base = base;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(base.length / BLOCK + 2)) * 2);
    for (let at = 0; at + BLOCK <= base.length; at += BLOCK) {
      const slot = this.#slotOf(hashOf(base, at));
      if (this.#slots[slot] === 0) this.#slots[slot] = at + 1;
    }
  }

  find(hash: number, target: Uint8Array, at: number): number | undefined {
    const found = (this.#slots[this.#slotOf(hash)] ?? 0) - 1;
    if (found < 0) return undefined;
    for (let index = 0; index < BLOCK; index += 1)
      if (this.#base[found + index] !== target[at + index]) return undefined;
    return found;
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1);
  }
}

function hashOf(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let index = at; index < at + BLOCK; index += 1)
    hash = (Math.imul(hash, FACTOR) + (bytes[index] ?? 0)) | 0;
  return hash;
}

function roll(hash: number, oldest: number, next: number): number {
  return (Math.imul((hash - Math.imul(oldest, OLDEST)) | 0, FACTOR) + next) | 0;
}

function commonStart(base: Uint8Array, target: Uint8Array): number {
  return commonFrom(base, 0, target, 0, target.length);
}

function commonEnd(base: Uint8Array, target: Uint8Array, start: number): number {
  return commonBefore(base.subarray(start), base.length - start, target, target.length, start);
}

function commonFrom(base: Uint8Array, offset: number, target: Uint8Array, at: number, to: number): number {
  const most = Math.min(base.length - offset, to - at);
  let length = 0;
  while (length + STRIDE <= most && isEqual(base, offset + length, target, at + length)) length += STRIDE;
  while (length < most && base[offset + length] === target[at + length]) length += 1;
  return length;
}

/** Whether the next `STRIDE` bytes are the same in both. */
function isEqual(base: Uint8Array, offset: number, target: Uint8Array, at: number): boolean {
  return Buffer.compare(base.subarray(offset, offset + STRIDE), target.subarray(at, at + STRIDE)) === 0;
}

/** How many bytes before the two positions are the same. In the target, goes back to `to` at most. */
function commonBefore(base: Uint8Array, offset: number, target: Uint8Array, at: number, to: number): number {
  const most = Math.min(offset, at - to);
  let length = 0;
  while (length + STRIDE <= most && isEqual(base, offset - length - STRIDE, target, at - length - STRIDE))
    length += STRIDE;
  while (length < most && base[offset - length - 1] === target[at - length - 1]) length += 1;
  return length;
}

function write({ offset, at, length }: Piece, target: Uint8Array): Uint8Array[] {
  if (offset === undefined) return [numberBytes(length * 2), target.subarray(at, at + length)];
  return [numberBytes(length * 2 + 1), numberBytes(offset)];
}

function take(base: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length > base.length) throw new RangeError('a delta reaches beyond its base');
  return base.subarray(offset, offset + length);
}

/** Seven bits per byte, the lowest first. The eighth bit says that more bytes follow. */
function numberBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const [byte] = this.bytes(1);
      value += ((byte ?? 0) % 128) * factor;
      if ((byte ?? 0) < 128) return value;
    }
  }

  bytes(length: number): Uint8Array {
    this.#at += length;
    return take(this.#bytes, this.#at - length, length);
  }
}
