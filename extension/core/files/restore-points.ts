import type { SessionEvent } from '../../protocol/events.ts';
import { summarizeCall } from '../loop/summarize-call.ts';

/** A place in a session that its files and its conversation can go back to. */
export interface RestorePoint {
  /** The event that is the last one then. */
  readonly to: number;
  /** What comes next: a prompt, with all that the run on it has done, or a call of that run. */
  readonly next: 'prompt' | 'call';
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Paths that the run or the call has changed. */
  readonly files: number;
}

/** The newest first: before each prompt, and before each call that has changed a file. */
export function restorePointsOf(events: readonly SessionEvent[]): readonly RestorePoint[] {
  const points: (RestorePoint & { readonly paths: Set<string> })[] = [];
  const calls = new Map<string, { readonly title: string; to?: number }>();
  const add = (next: RestorePoint['next'], to: number, title: string, timestamp: number) => {
    const paths = new Set<string>();
    points.push({ next, to, title, timestamp, paths, files: 0 });
    return paths;
  };
  let run = new Set<string>();
  for (const event of events) {
    const { type, seq, timestamp } = event;
    if (type === 'user') run = add('prompt', seq - 1, event.content, timestamp);
    else if (type === 'tool_call') calls.set(event.id, { title: summarizeCall(event) });
    else if (type === 'tool_started') calls.set(event.id, { title: '', ...calls.get(event.id), to: seq - 1 });
    else if (type === 'files_changed' && event.by === 'tool' && event.changes.length > 0) {
      const { title = '', to = seq - 1 } = calls.get(event.id) ?? {};
      const paths = add('call', to, title, timestamp);
      for (const { path } of event.changes) for (const set of [paths, run]) set.add(path);
    }
  }
  return points.map(({ paths, ...point }) => ({ ...point, files: paths.size })).reverse();
}
