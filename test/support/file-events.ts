import type { EventDraft, FileState } from '../../extension/protocol/events.ts';

export const ABSENT: FileState = { kind: 'absent' };

export const file = (hash: string, size = 1): FileState => ({ kind: 'file', hash, size, mode: 0o644 });

/** What a call does to a path. */
export const makes = (before: FileState, after: FileState, path = '/a'): EventDraft => ({
  type: 'files_changed',
  id: 'call',
  by: 'tool',
  changes: [{ path, before, after }],
});
