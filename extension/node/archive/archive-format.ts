// One session in one file: lines of JSON, packed with gzip. The first line says whose they are; each further one names a file
// of the session. Behind the name of a log stand its bytes as they are, so that its chain of hashes still holds; all else
// is in Base64. The last line says that nothing is missing.
import * as z from 'zod/mini';
import '../../core/base/zod-messages.ts';

export const ARCHIVE_VERSION = 1;
/** Bytes that an archive unpacks to at most: more would fill a disk. */
export const LARGEST_ARCHIVE = 8 * 1024 * 1024 * 1024;

export const archiveHeader = z.object({
  format: z.literal('harness-session'),
  version: z.int().check(z.positive()),
  product: z.string(),
  /** Of the session, as its log has it. */
  session: z.string(),
  events: z.int().check(z.nonnegative()),
  /** SHA-256 (hex) of the last line of the log. */
  head: z.string(),
  /** The log is not byte for byte the one that it was made from: secrets were taken out, or damage. */
  relinked: z.optional(z.literal(true)),
  /** That one was damaged, or changed by something else than Harness; what was intact of it is here. */
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
    /** To be read once, in full, before the next part is asked for. */
    | { readonly bytes: number; readonly stream: AsyncIterable<Uint8Array> };
}
