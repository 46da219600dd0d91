import type { SessionLog } from '../../core/ports/session-store.ts';
import { hidingOf } from '../../core/recording/masks.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import type { SessionPorts } from '../../core/session/session-ports.ts';
import { recordingOf } from '../../node/log/session-files.ts';
import { RecordingFile } from '../../node/recording/recording-file.ts';
import { systemClock } from '../../node/system-clock.ts';

export interface SessionRecordingsOptions {
  /** The folder of all sessions. */
  readonly sessions: string;
  readonly product: string;
  readonly isWanted: () => boolean;
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
    const { sessions, product, isWanted } = this.#options;
    // What the disk does not take is told once, by the log.
    if (!isWanted() || log.trouble !== undefined) return { log, ports, close: async () => {} };
    const { recorded } = await import('../../core/recording/record/record-session.ts');
    const path = recordingOf(sessions, log.id);
    const file = new RecordingFile({
      path,
      session: log.id,
      product,
      logger: ports.logger,
      // Whoever has taken the session records it from now on.
      mayWrite: () => (log.trouble === undefined ? undefined : Promise.reject(new Error(log.trouble))),
    });
    const { errors } = thisProduct;
    const recording = recorded(log, ports, {
      sink: file,
      clock: systemClock,
      errors,
      hiding: hidingOf(ports.secrets),
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
