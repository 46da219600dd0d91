import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionLog } from '../../core/ports/session-store.ts';
import type { RecordingSink } from '../../core/recording/recording-sink.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import { maskPolicy } from '../../core/secrets/streaming-filter.ts';
import type { SessionPorts } from '../../core/session/session-ports.ts';

export interface SessionRecordingsOptions {
  readonly isWanted: () => boolean;
  /** Makes the recording that lies beside this log, and ends as soon as another process writes that. */
  readonly openFile: (log: SessionLog, logger: Logger) => RecordingSink & { close(): Promise<void> };
  readonly clock: Clock;
}

/** What a session is opened with, and what is to be closed after it. */
export interface Opened {
  readonly log: SessionLog;
  readonly ports: SessionPorts;
  close(): Promise<void>;
}

/** Recordings that are written beside the logs of sessions, while the user wants them. */
export class SessionRecordings {
  readonly #options: SessionRecordingsOptions;

  constructor(options: SessionRecordingsOptions) {
    this.#options = options;
  }

  /** For a session that is about to be opened. */
  async begin(log: SessionLog, ports: SessionPorts): Promise<Opened> {
    const { isWanted, openFile, clock } = this.#options;
    // What the disk does not take is told once, by the log.
    if (!isWanted() || log.trouble !== undefined) return { log, ports, close: async () => {} };
    const { recorded } = await import('../../core/recording/record/record-session.ts');
    const file = openFile(log, ports.logger);
    const { errors } = thisProduct;
    const recording = recorded(log, ports, {
      sink: file,
      clock,
      errors,
      policy: maskPolicy(ports.secrets),
    });
    return {
      ...recording,
      close: () => {
        recording.close();
        return file.close();
      },
    };
  }
}
