import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { replaceFile } from '../fs/replace-file.ts';
import type { ArchiveHeader, ArchivePart } from './archive-format.ts';

/**
 * Writes an archive to `path` in one step, with one part in memory at a time. If it rejects, nothing has
 * changed.
 */
export async function writeArchive(
  path: string,
  header: ArchiveHeader,
  parts: AsyncIterable<ArchivePart>,
): Promise<void> {
  await pipeline(Readable.from(bytesOf(header, parts)), createGzip(), (packed: AsyncIterable<Uint8Array>) =>
    replaceFile(path, packed),
  );
}

async function* bytesOf(
  header: ArchiveHeader,
  parts: AsyncIterable<ArchivePart>,
): AsyncGenerator<Uint8Array> {
  yield lineOf(header);
  let count = 0;
  for await (const { file, content } of parts) {
    count += 1;
    if (content instanceof Uint8Array) {
      yield lineOf({ file, base64: Buffer.from(content).toString('base64') });
      continue;
    }
    yield lineOf({ file, bytes: content.bytes });
    yield* content.stream;
    yield lineOf();
  }
  yield lineOf({ end: count });
}

function lineOf(value?: object): Buffer {
  return Buffer.from(`${value ? JSON.stringify(value) : ''}\n`);
}
