import type { FileHandle } from 'node:fs/promises';

/** Bytes per read. */
const CHUNK_BYTES = 1024 * 1024;

/** Whether the file of `size` bytes is empty or ends with `byte`. */
export async function endsWith(handle: FileHandle, size: number, byte: Buffer): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.equals(byte);
}

/** Reads `length` bytes from offset `at`. Resolves with undefined if the file has fewer. */
export async function readExactly(
  handle: FileHandle,
  at: number,
  length: number,
): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) return undefined;
    done += bytesRead;
  }
  return bytes;
}

/** Yields the first `size` bytes of the file. A chunk is valid until the caller asks for the next one. */
export async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.alloc(CHUNK_BYTES);
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await handle.read(bytes, 0, Math.min(CHUNK_BYTES, size - offset), offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
}

/** Calls `onWritten` with the number of bytes written, even if a write failed before the end. */
export async function writeAll(
  handle: FileHandle,
  bytes: Buffer,
  onWritten: (count: number) => void,
): Promise<void> {
  let offset = 0;
  try {
    while (offset < bytes.length) offset += (await handle.write(bytes, offset)).bytesWritten;
  } finally {
    onWritten(offset);
  }
}
