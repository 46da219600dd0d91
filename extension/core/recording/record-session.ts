import type { SessionLog } from '../ports/event-store.ts';
import type { SessionPorts } from '../session/session-ports.ts';
import { boundLog, boundPorts, optionalPorts } from './bound-ports.ts';
import { type RecordingOptions, SessionRecording } from './session-recording.ts';

/** What a session is to be opened with so that everything is written down which passes between it and the world. */
export function recorded(
  log: SessionLog,
  ports: SessionPorts,
  options: RecordingOptions,
): readonly [log: SessionLog, ports: SessionPorts] {
  const recording = new SessionRecording(options, {
    past: log.past.length,
    repairs: log.repairs,
    home: ports.home,
    has: optionalPorts(ports),
  });
  return [boundLog(log, recording), boundPorts(ports, recording)];
}
