import { stat } from 'node:fs/promises';
import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { logOf } from '../log/session-files.ts';
import { listedFolder } from './session-index.ts';

/** An event with a timestamp that has no place in a log yet. */
export type TimedDraft = EventDraft & { readonly timestamp: number };

/**
 * Builds a `session_started` event if the log of session `id` below `root` lost its own. Returns undefined if
 * `first`, the first intact event, is one. The working folder comes from the session list.
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
