import { MAX_IMAGE_BYTES } from '../../protocol/composer-messages.ts';
import { Mutex } from '../base/mutex.ts';
import { formatSize } from '../base/text/format-size.ts';
import { ToolError } from '../base/tool-error.ts';
import type { Attachments } from '../ports/attachments.ts';
import { IMAGE_TYPES, type ImageBlock } from '../ports/model.ts';
import {
  type ImageFormat,
  type ImageProblem,
  imageFormat,
  MANY_IMAGES,
  MANY_IMAGES_PIXELS,
  MAX_PIXELS,
  MAX_SENT_BYTES,
  MAX_SENT_IMAGES,
  problemWithImages,
  type SentImage,
} from './image-limits.ts';

export interface KeptImage {
  readonly name: string;
  readonly mediaType: ImageBlock['mediaType'];
}

/** Stores the images that tools read, as far as one request may have them. */
export class KeptImages {
  readonly #attachments: Attachments | undefined;
  /** One image after the other, because each counts for the next one. */
  readonly #mutex = new Mutex();
  /** Images that no event names yet. */
  readonly #added = new Set<string>();
  /** By name. The name is a hash, so an image never changes. */
  readonly #sizes = new Map<string, Promise<SentImage>>();

  constructor(attachments: Attachments | undefined) {
    this.#attachments = attachments;
  }

  /**
   * Resolves with the name and the media type of the image; undefined if the bytes are no image. `sent` are
   * the names of the images that the next request has already. Rejects with `ToolError` if the model would
   * refuse the request because of this one.
   */
  async keep(bytes: Uint8Array, path: string, sent: readonly string[]): Promise<KeptImage | undefined> {
    const attachments = this.#attachments;
    const format = imageFormat(bytes);
    if (!format || !attachments) return undefined;
    requireSendable(bytes, path, format);
    return this.#mutex.take(async () => {
      await this.#requireRoom({ name: path, bytes: bytes.length, ...format }, sent);
      const name = await attachments.keep(bytes, path).catch(rethrow);
      this.#added.add(name);
      return { name, mediaType: IMAGE_TYPES[format.extension] };
    });
  }

  async #requireRoom(image: SentImage, sent: readonly string[]): Promise<void> {
    for (const name of sent) this.#added.delete(name);
    const earlier = await Promise.all([...sent, ...this.#added].map((name) => this.#sizeOf(name)));
    const problem = problemWithImages([...earlier, image]);
    if (problem)
      throw new ToolError(`the image cannot be shown: ${reasonOf(problem)}`, { code: 'unsupported' });
  }

  #sizeOf(name: string): Promise<SentImage> {
    const size = this.#sizes.get(name) ?? this.#measure(name);
    this.#sizes.set(name, size);
    return size;
  }

  async #measure(name: string): Promise<SentImage> {
    const bytes = Buffer.from((await this.#attachments?.read(name)) ?? '', 'base64');
    return { name, bytes: bytes.length, ...imageFormat(bytes) };
  }
}

function rethrow(error: unknown): never {
  throw new ToolError(`the image could not be stored: ${String(error)}`, { code: 'io', cause: error });
}

/** The limits of one image, whatever else the request has. */
function requireSendable(bytes: Uint8Array, path: string, { width = 0, height = 0 }: ImageFormat): void {
  const advice = 'make a smaller copy with bash and read that';
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new ToolError(
      `the image is too large to be shown: ${path} has ${formatSize(bytes.length)}, at most ${formatSize(MAX_IMAGE_BYTES)} are possible; ${advice}`,
      { code: 'unsupported' },
    );
  if (Math.max(width, height) > MAX_PIXELS)
    throw new ToolError(
      `the image is too large to be shown: ${path} has ${width} × ${height} pixels, at most ${MAX_PIXELS} per side are possible; ${advice}`,
      { code: 'unsupported' },
    );
}

function reasonOf(problem: ImageProblem): string {
  switch (problem.kind) {
    case 'count':
      return `the conversation has ${MAX_SENT_IMAGES} images, and no more are possible`;
    case 'bytes':
      return `all images of the conversation may have ${formatSize(MAX_SENT_BYTES)} together`;
    case 'pixels':
      return `among more than ${MANY_IMAGES} images, none may have more than ${MANY_IMAGES_PIXELS} pixels per side`;
  }
}
