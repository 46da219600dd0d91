import type { SessionEvent } from '../../protocol/events.ts';
import { summarizeCall } from '../log/summarize-call.ts';
import { changesContent } from './file-state.ts';

/** A point in a session to which the user can return the files and the conversation. */
export interface RestorePoint {
  /** The last event before the point. */
  readonly to: number;
  /** What follows the point: a prompt with everything that its run did, or a call of that run. */
  readonly next: 'prompt' | 'call';
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** How many files the run or the call changed. */
  readonly files: number;
  /** Some changes of the call are unknown. */
  readonly isUnknown: boolean;
}

/** Newest first: one point before each prompt, and one before each call that changed a file or may have. */
export function restorePointsOf(events: readonly SessionEvent[]): readonly RestorePoint[] {
  const points: (Omit<RestorePoint, 'isUnknown'> & { isUnknown: boolean; readonly paths: Set<string> })[] =
    [];
  const calls = new Map<string, { readonly title: string; to?: number }>();
  const add = (next: RestorePoint['next'], to: number, title: string, timestamp: number) => {
    const paths = new Set<string>();
    const point = { next, to, title, timestamp, paths, isUnknown: false, files: 0 };
    points.push(point);
    return point;
  };
  const changed = new Map<string, (typeof points)[number]>();
  let run = new Set<string>();
  for (const event of events) {
    // Changes from before an import cannot be undone.
    if (event.type === 'imported')
      for (const point of points) {
        point.paths.clear();
        point.isUnknown = false;
      }
    const { type, seq, timestamp } = event;
    if (type === 'user') run = add('prompt', seq - 1, event.content, timestamp).paths;
    else if (type === 'tool_call') calls.set(event.id, { title: summarizeCall(event) });
    else if (type === 'tool_started') calls.set(event.id, { title: '', ...calls.get(event.id), to: seq - 1 });
    else if (type === 'files_changed' && event.by === 'tool') {
      const { title = '', to = seq - 1 } = calls.get(event.id) ?? {};
      // A call with very many changes has several events.
      const point = changed.get(event.id) ?? add('call', to, title, timestamp);
      changed.set(event.id, point);
      point.isUnknown ||= event.uncovered !== undefined;
      const { paths } = point;
      for (const { path } of event.changes.filter(changesContent))
        for (const set of [paths, run]) set.add(path);
    }
  }
  return points.map(({ paths, ...point }) => ({ ...point, files: paths.size })).reverse();
}
