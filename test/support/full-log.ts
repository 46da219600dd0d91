import { MemorySessionLog } from '../../extension/core/log/memory-session-log.ts';

/** A log whose file takes nothing while it `isFull`. */
export class FullLog extends MemorySessionLog {
  isFull = false;

  override get trouble(): string | undefined {
    return this.isFull ? 'ENOSPC: no space left on device, write' : undefined;
  }

  override async sync(): Promise<void> {
    if (this.isFull) throw new Error(this.trouble);
  }
}
