import type { SessionLog } from '../../ports/session-store.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import { interceptLog, interceptPorts, optionalPorts } from '../ports/ports.ts';
import { type RecordingOptions, SessionRecording } from './session-recording.ts';

/** The ports with which a session is opened, so that everything that passes through them is recorded. */
export interface RecordedPorts {
  readonly log: SessionLog;
  readonly ports: SessionPorts;
  /** Writes everything that is still held back. The caller calls this when the session is closed. */
  close(): void;
}

export function recorded(log: SessionLog, ports: SessionPorts, options: RecordingOptions): RecordedPorts {
  const recording = new SessionRecording(options, {
    past: log.past.length,
    repairs: log.repairs,
    home: ports.home,
    has: optionalPorts(ports),
  });
  return {
    log: interceptLog(log, recording),
    ports: interceptPorts(ports, recording),
    close: () => recording.close(),
  };
}
