import { stat } from 'node:fs/promises';
import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { logOf } from '../log/session-files.ts';
import { listedFolder } from './session-index.ts';

/** An event that has its time, and no place in a log yet. */
export type TimedDraft = EventDraft & { readonly timestamp: number };

/**
 * The beginning of the log of session `id` below `root`, for one that has lost its own; undefined where `first`, the first
 * event that is left, is that. The folder is the one that the list knows.
 */
export async function missingHeader(
  root: string,
  id: string,
  first: SessionEvent | undefined,
): Promise<TimedDraft | undefined> {
  if (first?.type === 'session_started') return undefined;
  return {
    type: 'session_started',
    version: LOG_VERSION,
    cwd: await listedFolder(root, id),
    product: '',
    mended: true,
    timestamp: first?.timestamp ?? Math.round((await stat(logOf(root, id))).mtimeMs),
  };
}
