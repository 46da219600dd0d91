import type { SessionLog } from '../../ports/session-store.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import { interceptLog, interceptPorts, optionalPorts } from '../ports/ports.ts';
import { type RecordingOptions, SessionRecording } from './session-recording.ts';

/** What a session is to be opened with so that everything is written down which passes between it and the world. */
export interface RecordedPorts {
  readonly log: SessionLog;
  readonly ports: SessionPorts;
  /** What waits is written down; for when the session is closed. */
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
