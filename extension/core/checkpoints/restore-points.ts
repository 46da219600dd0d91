import type { SessionEvent } from '../../protocol/events.ts';
import { summarizeCall } from '../log/summarize-call.ts';
import { changesContent } from './file-state.ts';

/** A place in a session that its files and its conversation can go back to. */
export interface RestorePoint {
  /** The event that is the last one then. */
  readonly to: number;
  /** What comes next: a prompt, with all that the run on it has done, or a call of that run. */
  readonly next: 'prompt' | 'call';
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** So many the run or the call has changed. */
  readonly files: number;
  /** Not all that the call has changed is known. */
  readonly isUnknown: boolean;
}

/** The newest first: before each prompt, and before each call that has changed a file, or may have. */
export function restorePointsOf(events: readonly SessionEvent[]): readonly RestorePoint[] {
  const points: (Omit<RestorePoint, 'isUnknown'> & { isUnknown: boolean; readonly paths: Set<string> })[] =
    [];
  const calls = new Map<string, { readonly title: string; to?: number }>();
  const add = (
    next: RestorePoint['next'],
    to: number,
    title: string,
    timestamp: number,
    isUnknown = false,
  ) => {
    const paths = new Set<string>();
    points.push({ next, to, title, timestamp, paths, isUnknown, files: 0 });
    return paths;
  };
  let run = new Set<string>();
  for (const event of events) {
    // Of what was done before, nothing can be taken back.
    if (event.type === 'imported')
      for (const point of points) {
        point.paths.clear();
        point.isUnknown = false;
      }
    const { type, seq, timestamp } = event;
    if (type === 'user') run = add('prompt', seq - 1, event.content, timestamp);
    else if (type === 'tool_call') calls.set(event.id, { title: summarizeCall(event) });
    else if (type === 'tool_started') calls.set(event.id, { title: '', ...calls.get(event.id), to: seq - 1 });
    else if (type === 'files_changed' && event.by === 'tool') {
      const { title = '', to = seq - 1 } = calls.get(event.id) ?? {};
      const paths = add('call', to, title, timestamp, event.uncovered !== undefined);
      for (const { path } of event.changes.filter(changesContent))
        for (const set of [paths, run]) set.add(path);
    }
  }
  return points.map(({ paths, ...point }) => ({ ...point, files: paths.size })).reverse();
}
