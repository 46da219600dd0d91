import type { ChainHead } from '../core/session/chain.ts';
import { logLines } from './log-lines.ts';
import { recordOf } from './read-record.ts';

export interface LogEnd {
  readonly session: string;
  readonly head: ChainHead;
  /** The folder in which the work of the session is at that line. */
  readonly cwd: string;
}

/** Line `count` of the log at `path`, counted from 1, and what is known there; undefined where there are less. */
export async function logEnd(path: string, count: number): Promise<LogEnd | undefined> {
  let [seq, cwd] = [0, ''];
  for await (const lines of logLines(path)) {
    for (const line of lines) {
      seq += 1;
      const record = recordOf(line);
      const event = record?.event;
      if (event?.type === 'session_started' || event?.type === 'imported') cwd = event.cwd;
      if (seq === count) return { session: record?.session ?? '', head: { seq, hash: line.hash() }, cwd };
    }
  }
  return undefined;
}
