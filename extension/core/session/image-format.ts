// What an image is, told from its first bytes: names and what the sender says of it prove nothing.

export interface ImageFormat {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp';
  /** Pixels; absent where they do not stand at the beginning. */
  readonly width?: number;
  readonly height?: number;
}

/** Undefined for what is none of the four formats that models take. */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (hasText(bytes, 0, '\x89PNG\r\n\x1a\n') && bytes.length >= 24)
    return { extension: 'png', width: view.getUint32(16), height: view.getUint32(20) };
  if (hasText(bytes, 0, 'GIF8') && bytes.length >= 10)
    return { extension: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP'))
    return { extension: 'webp', ...webpSize(bytes, view) };
  if (hasText(bytes, 0, '\xff\xd8\xff')) return { extension: 'jpg', ...jpegSize(view) };
  return undefined;
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return Array.from(text, (character) => character.charCodeAt(0)).every(
    (code, index) => bytes[at + index] === code,
  );
}

/**
 * The first chunk tells the size, in one of three ways (RFC 9649, 2.5 to 2.7): of a lossy image 14 bits for each side, of a
 * lossless one 14 bits of side less one, of an extended one 24 bits of that.
 */
function webpSize(bytes: Uint8Array, view: DataView): { width?: number; height?: number } {
  if (bytes.length < 30) return {};
  if (hasText(bytes, 12, 'VP8 '))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (hasText(bytes, 12, 'VP8L')) {
    const sides = view.getUint32(21, true);
    return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  }
  if (!hasText(bytes, 12, 'VP8X')) return {};
  const side = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00 + 1;
  return { width: side(24), height: side(27) };
}

/** The size stands in the frame header (ITU-T T.81, B.2.2), behind segments that each tell their length. */
function jpegSize(view: DataView): { width?: number; height?: number } {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return {};
}
