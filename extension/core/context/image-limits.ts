// The limits of the model API for the images of one request. They include the images of earlier prompts,
// which are sent again. The API refuses the whole request if it exceeds them. Source:
// https://platform.claude.com/docs/en/build-with-claude/vision (General limits).
import type { SessionEvent } from '../../protocol/events.ts';

export interface SentImage extends Partial<Pick<ImageFormat, 'width' | 'height'>> {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Pixels per side of one image. The API rejects a larger one, and with it every later request of the session.
 */
export const MAX_PIXELS = 8_000;
/** Images in one request, for models with a context of 200,000 tokens. */
export const MAX_SENT_IMAGES = 100;
/** If one request has more images than this, none may exceed `MANY_IMAGES_PIXELS` on a side. */
export const MANY_IMAGES = 20;
export const MANY_IMAGES_PIXELS = 2_000;
/**
 * Bytes of all images. A request may have 32 MB, and base64 turns three bytes into four. That leaves 4 MB for
 * text.
 */
export const MAX_SENT_BYTES = 21 * 1024 * 1024;

/** Why a request would be refused; `image` is the first one that is too large. */
export type ImageProblem =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'pixels'; readonly image: SentImage };

/** The names of the images that the next request of a session sends again. */
export function imagesSentAgain(events: readonly SessionEvent[]): readonly string[] {
  const compacted = events.findLastIndex(({ type }) => type === 'compaction');
  return events
    .slice(compacted + 1)
    .flatMap((event) => ('attachments' in event ? (event.attachments ?? []) : []));
}

/** Why the API would refuse a request with these images; undefined if it would not. */
export function problemWithImages(images: readonly SentImage[]): ImageProblem | undefined {
  if (images.length > MAX_SENT_IMAGES) return { kind: 'count', count: images.length };
  const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
  if (bytes > MAX_SENT_BYTES) return { kind: 'bytes', bytes };
  const large = images.find(({ width = 0, height = 0 }) => Math.max(width, height) > MANY_IMAGES_PIXELS);
  return large && images.length > MANY_IMAGES ? { kind: 'pixels', image: large } : undefined;
}

// Detects the format of an image from its first bytes, because its name and its declared type may be wrong.

export interface ImageFormat {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp';
  /** Pixels; absent if the first bytes do not have them. */
  readonly width?: number;
  readonly height?: number;
}

/** Undefined if the bytes are in none of the four formats that models accept. */
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
 * The first chunk has the size, in one of three forms (RFC 9649, 2.5 to 2.7). Lossy: 14 bits a side.
 * Lossless: 14 bits of the side minus one. Extended: 24 bits of the side minus one.
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

/** The size is in the frame header (ITU-T T.81, B.2.2), after segments that each give their length. */
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
