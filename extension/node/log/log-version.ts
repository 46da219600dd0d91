import { logLines } from './log-lines.ts';

/** Bytes that cover the first line, which holds a path and little else. */
const BEGINNING = 64 * 1024;

/** The format version of the log at `path`; 0 if its first line does not state one. */
export async function logVersion(path: string): Promise<number> {
  for await (const lines of logLines(path, { to: BEGINNING })) {
    const [first] = lines;
    if (first) return versionIn(first.bytes);
  }
  return 0;
}

/** Reads no other field of the line, because a newer version may have different ones. */
function versionIn(line: Buffer): number {
  try {
    const { type, version } = JSON.parse(line.toString()) as Record<string, unknown>;
    return type === 'session_started' && typeof version === 'number' ? version : 0;
  } catch {
    return 0;
  }
}
