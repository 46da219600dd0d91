// An archive contains one session in one file: lines of JSON, packed with gzip. The first line is the header,
// and each further line names a file of the session. The bytes of a log or a recording follow its line
// unchanged, so that a log's chain of hashes still holds. All other content is in Base64. The last line
// confirms that nothing is missing.
import * as z from 'zod/mini';
import '../../core/base/zod-messages.ts';

export const ARCHIVE_VERSION = 1;
/** Maximum unpacked size of an archive in bytes. More would fill a disk. */
export const LARGEST_ARCHIVE = 8 * 1024 * 1024 * 1024;

export const archiveHeader = z.object({
  format: z.literal('harness-session'),
  version: z.int().check(z.positive()),
  product: z.string(),
  /** The session id, as in the log. */
  session: z.string(),
  events: z.int().check(z.nonnegative()),
  /** SHA-256 (hex) of the last line of the log. */
  head: z.string(),
  /** The log is not byte for byte its source, because secrets or damage were removed. */
  relinked: z.optional(z.literal(true)),
  /**
   * The source was damaged, or something other than Harness changed it. The archive contains its intact part.
   */
  damaged: z.optional(z.literal(true)),
});
export type ArchiveHeader = z.infer<typeof archiveHeader>;

export const archivePart = z.union([
  z.object({ file: z.string(), bytes: z.int().check(z.nonnegative()) }),
  z.object({ file: z.string(), base64: z.string() }),
  z.object({ end: z.int().check(z.nonnegative()) }),
]);

/** A file of the session: `events.jsonl`, `recording.jsonl`, `blobs/HASH`, `attachments/HASH.png`. */
export interface ArchivePart {
  readonly file: string;
  readonly content:
    | Uint8Array
    /** The caller must read it once, in full, before it asks for the next part. */
    | { readonly bytes: number; readonly stream: AsyncIterable<Uint8Array> };
}
