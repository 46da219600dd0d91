// What the model API takes of images in one request. It counts those of earlier prompts too, since they are sent again, and
// refuses the whole request. Source: https://platform.claude.com/docs/en/build-with-claude/vision (General limits).
import type { SessionEvent } from '../../protocol/events.ts';
import type { ImageFormat } from './image-format.ts';

export interface SentImage extends Partial<Pick<ImageFormat, 'width' | 'height'>> {
  readonly name: string;
  readonly bytes: number;
}

/** Images of one request, for models with a context of 200,000 tokens. */
export const MAX_SENT_IMAGES = 100;
/** Images from which on, in one request, none may be larger than `MANY_IMAGES_PIXELS` a side. */
export const MANY_IMAGES = 20;
export const MANY_IMAGES_PIXELS = 2_000;
/** Bytes of all images: a request takes 32 MB, base64 makes four of three, and 4 MB are left for the words. */
export const MAX_SENT_BYTES = 21 * 1024 * 1024;

/** What is wrong with a request; `image` is the first that is too large. */
export type ImageProblem =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'pixels'; readonly image: SentImage };

/** The names of the images that the next request of a session sends again. */
export function imagesSentAgain(events: readonly SessionEvent[]): readonly string[] {
  const compacted = events.findLastIndex(({ type }) => type === 'compaction');
  return events
    .slice(compacted + 1)
    .flatMap((event) => (event.type === 'user' ? (event.attachments ?? []) : []));
}

/** Why a request with these images would be refused; undefined where it would not. */
export function problemWithImages(images: readonly SentImage[]): ImageProblem | undefined {
  if (images.length > MAX_SENT_IMAGES) return { kind: 'count', count: images.length };
  const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
  if (bytes > MAX_SENT_BYTES) return { kind: 'bytes', bytes };
  const large = images.find(({ width = 0, height = 0 }) => Math.max(width, height) > MANY_IMAGES_PIXELS);
  return large && images.length > MANY_IMAGES ? { kind: 'pixels', image: large } : undefined;
}
