import { open } from 'node:fs/promises';
import type { SessionSummary } from '../core/ports/event-store.ts';
import { readLog } from './read-log.ts';

/** Enough for the first prompt of nearly every session; a list must not read whole logs. */
const HEAD_BYTES = 64 * 1024;
const TITLE_LENGTH = 80;

/** Undefined where the file cannot be read: a list shows what is there. */
export async function summarizeSession(id: string, path: string): Promise<SessionSummary | undefined> {
  try {
    const handle = await open(path, 'r');
    try {
      const { mtimeMs } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const { events } = readLog(buffer.subarray(0, bytesRead));
      const started = events.find((event) => event.type === 'session_started');
      const prompt = events.find((event) => event.type === 'user');
      return { id, title: titleOf(prompt?.content), cwd: started?.cwd ?? '', updated: Math.round(mtimeMs) };
    } finally {
      await handle.close();
    }
  } catch {
    // No log in this folder, or not ours to read.
    return undefined;
  }
}

function titleOf(prompt: string | undefined): string {
  const line = (prompt ?? '').trim().split('\n')[0] ?? '';
  return [...line].slice(0, TITLE_LENGTH).join('') || 'New session';
}
