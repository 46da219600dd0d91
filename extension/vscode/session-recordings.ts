import type { SessionLog } from '../core/ports/event-store.ts';
import { RECORDING_VERSION, type RecordingHeader } from '../core/recording/entry.ts';
import { masking, thisProduct } from '../core/recording/this-product.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { RecordingFile } from '../node/recording-file.ts';
import { recordingOf } from '../node/session-files.ts';
import { systemClock } from '../node/system-clock.ts';
import { LOG_VERSION } from '../protocol/events.ts';

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
    if (!isWanted()) return { log, ports, close: async () => {} };
    const { recorded } = await import('../core/recording/record-session.ts');
    const path = recordingOf(sessions, log.id);
    const file = new RecordingFile({ path, header: headerOf(log.id, product), logger: ports.logger });
    const { errors } = thisProduct;
    const options = { sink: file, clock: systemClock, mask: masking(ports.secrets), errors };
    const [recordedLog, recordedPorts] = recorded(log, ports, options);
    return { log: recordedLog, ports: recordedPorts, close: () => file.close() };
  }
}

function headerOf(session: string, product: string): RecordingHeader {
  const about = { version: RECORDING_VERSION, product, node: process.version, log: LOG_VERSION };
  return { kind: 'recording', ...about, session };
}
