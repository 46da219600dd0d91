import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type * as z from 'zod/mini';
import { say } from '../../protocol/say.ts';
import { errorCode } from '../fs/file-errors.ts';
import {
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchivePart,
  archiveHeader,
  archivePart,
  LARGEST_ARCHIVE,
} from './archive-format.ts';

/** Bytes. Harness writes no longer line. */
const LONGEST_LINE = 128 * 1024 * 1024;
const LINE_FEED = 10;

/** The reason why Harness cannot read a file as an archive. The message is a sentence for the user. */
export class ArchiveError extends Error {}

/** Reads the archive at `path` in chunks, and treats everything in it as untrusted. */
export class ArchiveReader {
  readonly header: ArchiveHeader;
  readonly #bytes: ByteReader;

  /**
   * `largest` is the maximum unpacked size in bytes. Rejects with `ArchiveError`, or if there is no such
   * file. The caller must close the reader after use.
   */
  static async open(path: string, largest = LARGEST_ARCHIVE): Promise<ArchiveReader> {
    const bytes = new ByteReader(path, largest);
    try {
      return new ArchiveReader(checked(parse(archiveHeader, await bytes.line())), bytes);
    } catch (error) {
      bytes.close();
      throw error instanceof DamagedError ? new ArchiveError(NO_ARCHIVE, { cause: error }) : error;
    }
  }

  private constructor(header: ArchiveHeader, bytes: ByteReader) {
    this.header = header;
    this.#bytes = bytes;
  }

  close(): void {
    this.#bytes.close();
  }

  /** Yields the files in order. Throws `ArchiveError` if the archive is damaged or incomplete. */
  async *parts(): AsyncGenerator<ArchivePart> {
    for (let count = 0; ; count += 1) {
      const part = parse(archivePart, await this.#bytes.line());
      if (!part) throw damaged();
      if ('end' in part) {
        if (part.end !== count) throw damaged();
        await this.#bytes.expectEnd();
        return;
      }
      const { file } = part;
      if ('base64' in part) {
        yield { file, content: Buffer.from(part.base64, 'base64') };
        continue;
      }
      yield { file, content: { bytes: part.bytes, stream: this.#bytes.take(part.bytes) } };
      if ((await this.#bytes.line()).length > 0) throw damaged();
    }
  }
}

const NO_ARCHIVE = say('This file is not a session that Harness exported.');

/** `found` is the content of the first line, if it was valid. */
function checked(found: ArchiveHeader | undefined): ArchiveHeader {
  if (!found) throw new ArchiveError(NO_ARCHIVE);
  if (found.version <= ARCHIVE_VERSION) return found;
  throw new ArchiveError(
    say('A newer version of Harness exported this session. Update Harness to import it.'),
  );
}

class DamagedError extends ArchiveError {}

function damaged(): ArchiveError {
  return new DamagedError(say('This file is damaged or incomplete. Nothing was imported. Copy it again.'));
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, line: Buffer): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(line.toString())).data;
  } catch {
    return undefined; // the caller reports it
  }
}

/** Unpacks a file on demand. */
class ByteReader {
  readonly #file: ReturnType<typeof createReadStream>;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #total = 0;
  readonly #largest: number;

  constructor(path: string, largest: number) {
    this.#largest = largest;
    this.#file = createReadStream(path);
    const unpacked = createGunzip();
    this.#file.on('error', (error) => unpacked.destroy(error));
    this.#chunks = this.#file.pipe(unpacked)[Symbol.asyncIterator]();
  }

  close(): void {
    this.#file.destroy();
    void this.#chunks.return?.();
  }

  /** Returns the next line without its line feed. */
  async line(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (let feed = this.#rest.indexOf(LINE_FEED); ; feed = this.#rest.indexOf(LINE_FEED)) {
      const piece = this.#cut(feed < 0 ? this.#rest.length : feed);
      pieces.push(piece);
      length += piece.length;
      if (length > LONGEST_LINE) throw damaged();
      if (feed >= 0) break;
      if (!(await this.#fill())) throw damaged();
    }
    this.#cut(1);
    return Buffer.concat(pieces);
  }

  /** Yields the next `count` bytes. */
  async *take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#fill())) throw damaged();
      const piece = this.#cut(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }

  async expectEnd(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#fill())) throw damaged();
  }

  #cut(count: number): Buffer {
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return piece;
  }

  /** Reads the next chunk; false at the end. The caller must have used up the previous chunk. */
  async #fill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch((error: unknown) => {
      throw errorCode(error)?.startsWith('Z_') ? damaged() : error;
    });
    if (done) return false;
    this.#total += value.length;
    if (this.#total > this.#largest)
      throw new ArchiveError(say('This file unpacks to more than 8 GB. Nothing was imported.'));
    this.#rest = value;
    return true;
  }
}
