import { createHash } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { versionOf } from '../../core/base/content-hash.ts';
import { concatBytes } from '../../core/base/text/encoding.ts';
import { formatSize } from '../../core/base/text/format-size.ts';
import { type FileContent, type FileStat, WorkspaceError } from '../../core/ports/workspace.ts';
import { ifPresent } from './file-errors.ts';

const CHUNK = 256 * 1024;

/** Follows links. Resolves with undefined if the path does not exist. */
export async function statFile(path: string): Promise<FileStat | undefined> {
  const stats = await ifPresent(stat(path));
  return stats && { type: typeOf(stats), size: stats.size };
}

/**
 * Reads the whole file. Rejects with `too-large` above `maxBytes`. Also rejects if the path is not a regular
 * file.
 */
export async function readWholeFile(path: string, maxBytes: number): Promise<FileContent> {
  const bytes = await readBytes(path, maxBytes);
  return { bytes, version: versionOf(bytes), unsaved: false };
}

/** Like `readWholeFile`, but without the version. */
export async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await openRegular(path);
  try {
    const { size } = await handle.stat();
    const bytes = await readUpTo(handle, size, maxBytes);
    if (bytes) return bytes;
    const message = `file is too large: ${path} has ${formatSize(Math.max(size, maxBytes + 1))}`;
    throw new WorkspaceError('too-large', path, message);
  } finally {
    await handle.close();
  }
}

/**
 * Resolves with undefined above `maxBytes`. `size` is only a hint: files of /proc state none, and a log
 * grows.
 */
async function readUpTo(handle: FileHandle, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  if (size > maxBytes) return undefined;
  const parts: Uint8Array[] = [];
  let total = 0;
  while (total <= maxBytes) {
    const part = await nextPart(handle, Math.min(Math.max(size - total, CHUNK), maxBytes + 1 - total));
    if (part.length === 0) return parts.length === 1 ? parts[0] : concatBytes(parts);
    parts.push(part);
    total += part.length;
  }
  return undefined;
}

/** Yields the bytes of the file on demand. Ends early if the signal is aborted. */
export async function* streamFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await openRegular(path);
  try {
    while (!signal.aborted) {
      const part = await nextPart(handle, CHUNK);
      if (part.length === 0) return;
      yield part;
    }
  } finally {
    await handle.close();
  }
}

/** Computes the version of a file of any size in bounded memory. */
export async function versionAt(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of streamFile(path, new AbortController().signal)) hash.update(part);
  return hash.digest('hex');
}

export function typeOf(stats: Stats): FileStat['type'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

/** Calls `stat` first, because opening a pipe would block, and opening a device may have an effect. */
async function openRegular(path: string): Promise<FileHandle> {
  requireRegular(await stat(path), path);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(await handle.stat(), path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function requireRegular(stats: Stats, path: string): void {
  const type = typeOf(stats);
  if (type === 'directory') throw new WorkspaceError('is-directory', path, `path is a directory: ${path}`);
  if (type === 'other') {
    throw new WorkspaceError('not-regular', path, `not a regular file: ${path} (a device, socket or pipe)`);
  }
}

async function nextPart(handle: FileHandle, size: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(new Uint8Array(size), 0, size, null);
  return buffer.subarray(0, bytesRead);
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads the file at `path` from byte `from` up to, but not including, byte `to`, or to its end if that comes
 * first.
 */
export function readRange(path: string, from: number, to: number): AsyncIterable<Buffer> {
  // `end` is inclusive.
  return createReadStream(path, { start: from, end: to - 1, highWaterMark: CHUNK_BYTES });
}
