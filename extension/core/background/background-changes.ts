// Logs what commands change while they run in the background, under the calls that started them.
import { say } from '../../protocol/say.ts';
import { Mutex } from '../base/mutex.ts';
import { changeEvents } from '../checkpoints/change-events.ts';
import {
  type Changes,
  type ChangeTracker,
  settledChanges,
  type TrackedCall,
} from '../checkpoints/change-tracker.ts';
import type { LogWriter } from '../log/log-writer.ts';

export class BackgroundChanges {
  readonly #tracker: Pick<ChangeTracker, 'begin' | 'sinceScan'>;
  readonly #writer: Pick<LogWriter, 'append'>;
  readonly #calls = new Map<string, TrackedCall>();
  /** Calls whose commands have ended. */
  readonly #over = new Set<string>();
  /** Runs one report at a time, so that the log has the changes of a path in their order. */
  readonly #turns = new Mutex();

  constructor(tracker: Pick<ChangeTracker, 'begin' | 'sinceScan'>, writer: Pick<LogWriter, 'append'>) {
    this.#tracker = tracker;
    this.#writer = writer;
  }

  /** Takes over the scan of a call whose command goes on. Returns false if the command has ended. */
  follow(call: string, tracked: TrackedCall): boolean {
    if (this.#over.has(call)) return false;
    this.#calls.set(call, tracked);
    void this.report();
    return true;
  }

  /**
   * Follows the command of an earlier process, until `signal` is aborted. Logs first what the command has
   * changed since that process saw it.
   */
  adopt(call: string, signal: AbortSignal): void {
    void this.#turns
      .take(async () => {
        await this.#log(call, await settledChanges(() => this.#changesSince(call)));
        if (signal.aborted || this.#over.has(call)) return;
        const tracked = await this.#tracker.begin('workspace', { call, signal });
        this.#calls.set(call, tracked);
        await this.#reportOf(call, tracked);
      })
      .catch(() => undefined);
  }

  /** Logs what the commands have changed since the last report. Never rejects. */
  report(): Promise<void> {
    return this.#turns
      .take(async () => {
        for (const [call, tracked] of this.#calls) await this.#reportOf(call, tracked);
      })
      .catch(() => undefined);
  }

  /** Resolves when all reports that have begun are in the log. */
  settled(): Promise<void> {
    return this.#turns.take(async () => undefined);
  }

  /** Logs what the command has changed since the last report. The command has ended. */
  end(call: string): Promise<void> {
    this.#over.add(call);
    return this.#turns.take(async () => {
      const tracked = this.#calls.get(call);
      this.#calls.delete(call);
      if (tracked) await this.#log(call, await settledChanges(() => tracked.changes()));
    });
  }

  /** The session closes, and the command goes on. Never rejects. */
  leave(call: string): Promise<void> {
    return this.#turns.take(async () => {
      const tracked = this.#calls.get(call);
      this.#calls.delete(call);
      await tracked?.leave?.().catch(() => undefined);
    });
  }

  async #reportOf(call: string, { soFar }: TrackedCall): Promise<void> {
    if (soFar) await this.#log(call, await settledChanges(soFar));
  }

  async #changesSince(call: string): Promise<Changes> {
    return (await this.#tracker.sinceScan(call)) ?? { changes: [], uncovered: UNKNOWN };
  }

  async #log(call: string, changes: Changes): Promise<void> {
    const events = changeEvents(call, changes);
    if (events.length > 0) await this.#writer.append(...events);
  }
}

const UNKNOWN = say('The command ran on without Harness. Its changes up to then are unknown.');
