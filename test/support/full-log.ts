import type { SessionLog } from '../../extension/core/ports/event-store.ts';
import { MemorySessionLog } from '../../extension/core/ports/memory-session-log.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';

/** A log that takes so many batches of events and then no more, until there is `room`. */
export class FullLog extends MemorySessionLog implements SessionLog {
  room = Number.POSITIVE_INFINITY;

  override async append(...args: Parameters<SessionLog['append']>): Promise<readonly SessionEvent[]> {
    this.room -= 1;
    if (this.room < 0) throw new Error('The session log could not be written: ENOSPC');
    return super.append(...args);
  }
}
