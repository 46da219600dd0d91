import type { FileHandle } from 'node:fs/promises';

/** Bytes that are copied at once. */
const CHUNK_BYTES = 1024 * 1024;

/** Its last byte, of `size`, is this one; or it is empty. */
export async function endsWith(handle: FileHandle, size: number, byte: Buffer): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.equals(byte);
}

/** `length` bytes from `at` on; undefined where it does not have so many. */
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

/** Its first `size` bytes. */
export async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.alloc(CHUNK_BYTES);
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await handle.read(bytes, 0, Math.min(CHUNK_BYTES, size - offset), offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
}

/** `onWritten` gets how many bytes are in the file, also where that is only a part of them. */
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
