import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionLog } from '../../core/ports/session-store.ts';
import type { RecordingSink } from '../../core/recording/recording-sink.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import { maskPolicy } from '../../core/secrets/streaming-filter.ts';
import type { SessionPorts } from '../../core/session/session-ports.ts';

export interface SessionRecordingsOptions {
  readonly isWanted: () => boolean;
  /** Opens the recording beside this log. The recording ends as soon as another process writes the log. */
  readonly openFile: (log: SessionLog, logger: Logger) => RecordingSink & { close(): Promise<void> };
  readonly clock: Clock;
}

/**
 * The log and the ports to open a session with. The caller must call `close` after it has closed the session.
 */
export interface Opened {
  readonly log: SessionLog;
  readonly ports: SessionPorts;
  close(): Promise<void>;
}

/** Records sessions beside their logs, if the user enabled recording. */
export class SessionRecordings {
  readonly #options: SessionRecordingsOptions;

  constructor(options: SessionRecordingsOptions) {
    this.#options = options;
  }

  /** Starts the recording of a session that is about to be opened. */
  async begin(log: SessionLog, ports: SessionPorts): Promise<Opened> {
    const { isWanted, openFile, clock } = this.#options;
    // The log has already reported that the disk fails, so Harness does not report it twice.
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
