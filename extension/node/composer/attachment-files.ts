import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import type { SentImage } from '../../core/context/image-limits.ts';
import { imageFormat, MAX_PIXELS } from '../../core/context/image-limits.ts';
import type { Attachments } from '../../core/ports/attachments.ts';
import { attachmentName, MAX_IMAGE_BYTES } from '../../protocol/composer-messages.ts';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { renameIntoPlace } from '../fs/rename-into-place.ts';
import { discard, temporaryBeside } from '../fs/temporary-files.ts';

/** Name of the image folder inside the folder of the sessions. */
export const ATTACHMENTS = 'attachments';

/** The reason why Harness does not store an image. The message is a sentence for the user. */
export class AttachmentError extends Error {}

/** Stores images below the folder of the sessions, each named by the SHA-256 of its bytes. */
export class AttachmentFiles implements Attachments {
  readonly #sessions: string;

  constructor(sessions: string) {
    this.#sessions = sessions;
  }

  /**
   * Resolves with the name under which the image can be read. `title` is the user's name for the image.
   * Rejects with `AttachmentError`.
   */
  async keep(bytes: Uint8Array, title: string): Promise<string> {
    const extension = requireImage(bytes, title);
    const name = `${ATTACHMENTS}/${versionOf(bytes)}.${extension}`;
    const path = join(this.#sessions, name);
    // Updates the file's time, because cleanup removes an old image that nothing names yet.
    if (await this.bytes(name)) await utimes(path, new Date(), new Date());
    else await this.#write(path, bytes);
    return name;
  }

  async read(name: string): Promise<string | undefined> {
    return (await this.bytes(name))?.toString('base64');
  }

  /** Resolves with undefined if the image is missing, damaged or unreadable. Never rejects. */
  bytes(name: string): Promise<Buffer | undefined> {
    return this.load(name).catch(() => undefined);
  }

  /** Like `bytes`, but rejects if the file exists and cannot be read. */
  async load(name: string): Promise<Buffer | undefined> {
    const path = this.path(name);
    const bytes = path && (await ifPresent(readFile(path)));
    return bytes && name.includes(versionOf(bytes)) ? bytes : undefined;
  }

  /** Resolves with undefined if the image is missing, damaged or unreadable. */
  async describe(name: string): Promise<SentImage | undefined> {
    const bytes = await this.bytes(name);
    if (!bytes) return undefined;
    const { width = 0, height = 0 } = imageFormat(bytes) ?? {};
    return { name, bytes: bytes.length, width, height };
  }

  /**
   * Returns undefined for an invalid attachment name. Names come from logs, and must not lead to other files.
   */
  path(name: string): string | undefined {
    return attachmentName.safeParse(name).success ? join(this.#sessions, name) : undefined;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await makeFolder(join(this.#sessions, ATTACHMENTS));
    const temporary = temporaryBeside(path);
    try {
      await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
      await renameIntoPlace(temporary, path);
    } catch (error) {
      await discard(temporary);
      throw new AttachmentError(say('Could not save the image: {0}', String(error)), { cause: error });
    }
  }
}

/**
 * Returns the file name extension for the image's format. Throws `AttachmentError` if the format is not
 * supported or the image is too large.
 */
export function requireImage(bytes: Uint8Array, title: string): string {
  const format = imageFormat(bytes);
  if (!format) throw new AttachmentError(say('{0} is not a PNG, JPEG, GIF or WebP image.', title));
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new AttachmentError(say('{0} is larger than 5 MB. Make it smaller, then attach it again.', title));
  const { extension, width = 0, height = 0 } = format;
  if (Math.max(width, height) <= MAX_PIXELS) return extension;
  throw new AttachmentError(
    say(
      '{0} has {1} × {2} pixels. The maximum is {3} per side. Make it smaller, then attach it again.',
      title,
      width,
      height,
      MAX_PIXELS,
    ),
  );
}
