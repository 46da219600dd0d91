import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Whether the file at `path` begins with all bytes of the file at `beginning`. */
export function beginsWith(path: string, beginning: string): Promise<boolean> {
  return withFile(path, (file) => withFile(beginning, (start) => areSame(file, start)));
}

/** Whether the open file begins with all bytes of the file at `beginning`. */
export function isBehind(file: FileHandle, beginning: string): Promise<boolean> {
  return withFile(beginning, (start) => areSame(file, start));
}

async function withFile<Result>(path: string, work: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function areSame(file: FileHandle, beginning: FileHandle): Promise<boolean> {
  const buffers = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)] as const;
  for (let at = 0; ; ) {
    const { bytesRead } = await beginning.read(buffers[1], 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return true;
    const found = await file.read(buffers[0], 0, bytesRead, at);
    if (buffers[0].compare(buffers[1], 0, bytesRead, 0, found.bytesRead) !== 0) return false;
    at += bytesRead;
  }
}
