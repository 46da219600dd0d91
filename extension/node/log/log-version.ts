import { logLines } from './log-lines.ts';

/** Bytes in which the first line ends: it holds a path and little else. */
const BEGINNING = 64 * 1024;

/** The version of the format of the log at `path`; 0 where its first line does not tell. */
export async function logVersion(path: string): Promise<number> {
  for await (const lines of logLines(path, { to: BEGINNING })) {
    const [first] = lines;
    if (first) return versionIn(first.bytes);
  }
  return 0;
}

/** Nothing else of the line is looked at: a newer version may have other fields. */
function versionIn(line: Buffer): number {
  try {
    const { type, version } = JSON.parse(line.toString()) as Record<string, unknown>;
    return type === 'session_started' && typeof version === 'number' ? version : 0;
  } catch {
    return 0;
  }
}
