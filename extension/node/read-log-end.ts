import { open } from 'node:fs/promises';
import type { SessionEvent } from '../protocol/events.ts';
import { readEvent } from './read-log.ts';

/** Bytes. A log that is not much longer is read whole just as fast. */
const END = 256 * 1024;

/** The newest events of a long log, from a prompt on; empty where the log is short, or its last prompt far from its end. */
export async function readLogEnd(path: string): Promise<readonly SessionEvent[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size < 2 * END) return [];
    const { buffer, bytesRead } = await file.read(Buffer.alloc(END), 0, END, size - END);
    return fromPrompt(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The first line has lost its beginning, and the last one may lack its end. */
function fromPrompt(text: string): SessionEvent[] {
  const lines = text.split('\n').slice(1, -1);
  const events = lines.map(readEvent).filter((event) => event !== undefined);
  const prompt = events.findIndex(({ type }) => type === 'user');
  return prompt < 0 ? [] : events.slice(prompt);
}
