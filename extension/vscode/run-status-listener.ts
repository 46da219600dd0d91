import type { SessionListener } from '../core/session/recorder.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { RunStatus } from './status-bar.ts';

/** Shows in the status bar what a run is doing, for as long as it is on. */
export function showRunStatus(status: RunStatus): SessionListener {
  return {
    onEvents: (events) => {
      for (const event of events) show(status, event);
    },
  };
}

function show(status: RunStatus, event: SessionEvent): void {
  if (event.type === 'turn_ended') status.idle();
  else if (event.type === 'permission_request') status.needsApproval();
  else if (event.type === 'permission') status.working(event.tool);
  else if (event.type === 'retry') status.working('waiting to try again');
  else if (event.type === 'status' && event.message !== '') status.working(event.message);
}
