import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import type { SentImage } from '../../core/context/image-limits.ts';
import { imageFormat } from '../../core/context/image-limits.ts';
import type { Attachments } from '../../core/ports/attachments.ts';
import { attachmentName, MAX_IMAGE_BYTES } from '../../protocol/composer-messages.ts';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { renameIntoPlace } from '../fs/rename-into-place.ts';
import { discard, temporaryBeside } from '../fs/temporary-files.ts';

/** The folder of images below that of the sessions. */
export const ATTACHMENTS = 'attachments';
/** Pixels of a side; the API refuses more, and with it every later request of the session. */
const MAX_PIXELS = 8_000;

/** Why an image is not kept; the message is a sentence for the user. */
export class AttachmentError extends Error {}

/** Images below the folder of the sessions, each by the SHA-256 of its bytes. */
export class AttachmentFiles implements Attachments {
  readonly #sessions: string;

  constructor(sessions: string) {
    this.#sessions = sessions;
  }

  /** The name by which it can be read. `title` is what the user calls it. Rejects with `AttachmentError`. */
  async keep(bytes: Uint8Array, title: string): Promise<string> {
    const extension = requireImage(bytes, title);
    const name = `${ATTACHMENTS}/${versionOf(bytes)}.${extension}`;
    const path = join(this.#sessions, name);
    // Young again: what was deleted with another session long ago does not take it along.
    if (await this.bytes(name)) await utimes(path, new Date(), new Date());
    else await this.#write(path, bytes);
    return name;
  }

  async read(name: string): Promise<string | undefined> {
    return (await this.bytes(name))?.toString('base64');
  }

  /** Undefined where it is missing or damaged. Never rejects. */
  bytes(name: string): Promise<Buffer | undefined> {
    return this.load(name).catch(() => undefined);
  }

  /** The same; rejects where it is there and cannot be read. */
  async load(name: string): Promise<Buffer | undefined> {
    const path = this.path(name);
    const bytes = path && (await ifPresent(readFile(path)));
    return bytes && name.includes(versionOf(bytes)) ? bytes : undefined;
  }

  /** Its size; undefined where it is missing or damaged. */
  async describe(name: string): Promise<SentImage | undefined> {
    const bytes = await this.bytes(name);
    if (!bytes) return undefined;
    const { width = 0, height = 0 } = imageFormat(bytes) ?? {};
    return { name, bytes: bytes.length, width, height };
  }

  /** Undefined for what is no name of an attachment: a log is data, and what it says leads nowhere else. */
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

/** The kind of image that it is. Throws `AttachmentError`. */
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
