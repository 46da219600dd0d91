// Which background commands a session has, folded from its log.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import type { BackgroundEnd } from '../ports/background-shell.ts';

type Started = EventOf<'background_started'>;

export interface BackgroundCommand extends Pick<Started, 'id' | 'call' | 'command' | 'process' | 'moved'> {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Bytes of its output that the model has read. */
  readonly through: number;
  /** The user wants it to outlive the session. */
  readonly isKept: boolean;
  /** Undefined while it runs. */
  readonly end?: BackgroundEnd | undefined;
}

/**
 * Knows the commands that this session started. Ignores those that a fork copied, because they belong to the
 * other session, and those of an imported file, because Harness does not trust what a file says of processes.
 */
export class BackgroundFold {
  readonly #commands = new Map<string, BackgroundCommand>();
  #forkedAt = 0;
  #count = 0;

  apply(event: SessionEvent): void {
    if (event.type === 'session_started') this.#forkedAt = event.forkedFrom?.seq ?? 0;
    else if (event.type === 'imported') this.#commands.clear();
    else if (event.type === 'background_started') this.#start(event);
    else if (event.type === 'background_changed') this.#change(event);
    else if (event.type === 'background_ended') this.#end(event);
  }

  /** In the order in which they were started. */
  get running(): readonly BackgroundCommand[] {
    return [...this.#commands.values()].filter(({ end }) => !end);
  }

  find(id: string): BackgroundCommand | undefined {
    return this.#commands.get(id);
  }

  /** The id of the next command, which the log has not used. */
  get nextId(): string {
    return `bg${this.#count + 1}`;
  }

  #start({ id, call, command, process, moved, timestamp, seq }: Started): void {
    this.#count += 1;
    if (seq < this.#forkedAt) return;
    const state = { since: timestamp, through: 0, isKept: false };
    this.#commands.set(id, { id, call, command, process, moved, ...state });
  }

  #change({ id, through, kept }: EventOf<'background_changed'>): void {
    const command = this.#commands.get(id);
    if (!command) return;
    this.#commands.set(id, {
      ...command,
      through: through ?? command.through,
      isKept: kept ?? command.isKept,
    });
  }

  #end({ id, exitCode }: EventOf<'background_ended'>): void {
    const command = this.#commands.get(id);
    if (command) this.#commands.set(id, { ...command, end: { exitCode } });
  }
}

/** Absolute path of the file that has the command's output. */
export function fileOf({ process: { file } }: Pick<BackgroundCommand, 'process'>): string {
  return file;
}
