import type { Head } from '../../protocol/head.ts';
import type { SessionState } from '../ports/event-store.ts';

/** What a session is doing that this process writes. */
export function stateOf({ run, approvals }: Head): SessionState {
  if (approvals.length > 0) return 'waiting';
  if (run.busy) return 'running';
  return run.state === 'error' ? 'error' : 'idle';
}
