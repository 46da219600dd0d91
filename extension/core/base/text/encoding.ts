// Converts bytes to text and back, so that unchanged text keeps its bytes.

/** Bytes. Larger files are neither read whole nor edited. */
export const READ_LIMIT = 10 * 1024 * 1024;

/**
 * `latin1` stands for every text that is not Unicode: each byte is one character, and is written back as that
 * byte.
 */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1';

export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

const MARKS: Readonly<Record<TextEncoding, readonly number[]>> = {
  'utf-8-bom': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'utf-8': [],
  latin1: [],
};
const SNIFFED_BYTES = 8192;

/** Undefined for a binary file: a NUL in its first 8 kB and no UTF-16 mark before it. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const marked = markedEncoding(bytes);
  const body = bytes.subarray(MARKS[marked].length);
  if (marked.startsWith('utf-16') && bytes.length % 2 === 0) {
    return { text: fromUnits(toUnits(body, marked === 'utf-16le')), encoding: marked };
  }
  if (looksBinary(bytes)) return undefined;
  const text = decodeUtf8(body);
  if (text === undefined || marked.startsWith('utf-16'))
    return { text: fromUnits(bytes), encoding: 'latin1' };
  return { text, encoding: marked };
}

/** The file's bytes, byte order mark first; undefined if the encoding lacks a character of the text. */
export function encodeText({ text, encoding }: TextFile): Uint8Array | undefined {
  const body = encodeBody(text, encoding);
  const mark = MARKS[encoding];
  return body && mark.length > 0 ? concatBytes([Uint8Array.from(mark), body]) : body;
}

/** As `encodeText`, without the byte order mark. */
export function encodeBody(text: string, encoding: TextEncoding): Uint8Array | undefined {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bom':
      return new TextEncoder().encode(text);
    case 'utf-16le':
    case 'utf-16be':
      return encodeUtf16(text, encoding === 'utf-16le');
    case 'latin1':
      return encodeLatin1(text);
  }
}

/** The encoding of the byte order mark; `utf-8` if there is none. */
export function markedEncoding(bytes: Uint8Array): Exclude<TextEncoding, 'latin1'> {
  const marked = (['utf-8-bom', 'utf-16le', 'utf-16be'] as const).find((encoding) =>
    MARKS[encoding].every((byte, index) => bytes[index] === byte),
  );
  return marked ?? 'utf-8';
}

export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the answer: these bytes are not UTF-8
  }
}

/** UTF-16 code units of an even number of bytes. */
export function toUnits(bytes: Uint8Array, littleEndian: boolean): Uint16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: bytes.length / 2 }, (_, index) =>
    view.getUint16(index * 2, littleEndian),
  );
}

/** `TextDecoder` would replace lone surrogates, and its `latin1` is Windows-1252. */
export function fromUnits(units: Uint8Array | Uint16Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < units.length; start += 8192) {
    pieces.push(String.fromCharCode(...units.subarray(start, start + 8192)));
  }
  return pieces.join('');
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index++) {
    view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  }
  return new Uint8Array(view.buffer);
}

function encodeLatin1(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0xff) return undefined;
    bytes[index] = unit;
  }
  return bytes;
}

/** Bytes. Larger files are not split into lines, because that would block the window. */
export const MAX_TEXT = 4_000_000;
/** Limit for files with many lines, because the work grows with their number. */
const MAX_LINES = 250_000;

const LINE_FEED = 10;

/** Undefined for a binary file, and for a text too large to be split into lines. */
export function linedText(bytes: Uint8Array): TextFile | undefined {
  return bytes.length > MAX_TEXT || hasManyLines(bytes) ? undefined : decodeText(bytes);
}

function hasManyLines(bytes: Uint8Array): boolean {
  let at = -1;
  for (let count = 0; count < MAX_LINES; count++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
    if (at < 0) return false;
  }
  return true;
}
