import type { SessionLog } from '../../extension/core/ports/session-store.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import { recordLog } from '../../extension/headless/record.ts';

/** A session that is recorded into a new file at `path`, as `harness exec --record` does it. `past`: the lines of its log. */
export async function openRecorded(
  path: string,
  log: SessionLog,
  past: AsyncIterable<readonly string[]>,
  ports: SessionPorts,
) {
  const recording = await recordLog(path, log, past, ports);
  const session = await Session.open(recording.log, recording.ports);
  recording.take(session.events.slice(log.past.length));
  session.subscribe({ onEvents: recording.take });
  return {
    session,
    close: async () => {
      await session.close();
      await recording.close();
    },
  };
}
