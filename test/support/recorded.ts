import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { SessionLog } from '../../extension/core/ports/event-store.ts';
import { MemoryRecording } from '../../extension/core/ports/memory-recording.ts';
import { recorded } from '../../extension/core/recording/record-session.ts';
import { replaySession } from '../../extension/core/recording/replay-session.ts';
import { masking, thisProduct } from '../../extension/core/recording/this-product.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import type { RecordingFile } from '../../extension/node/recording-file.ts';
import { logOf } from '../../extension/node/session-files.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { expectEqual } from './expect-replay.ts';

export interface Recorded {
  readonly session: Session;
  /** Plays back what was recorded so far: the log that comes out has to be the same, hash for hash. */
  expectEqualReplay(): Promise<void>;
}

/** Opens a session that is recorded. `sessions` is the folder of its log; where it has none there, its events are the log. */
export async function record(log: SessionLog, ports: SessionPorts, sessions = ''): Promise<Recorded> {
  const recording = new MemoryRecording();
  const { errors } = thisProduct;
  const options = { sink: recording, clock: systemClock, mask: masking(ports.secrets), errors };
  const lines = await linesOf(sessions, log.id).catch(() => log.past.map((event) => JSON.stringify(event)));
  const session = await Session.open(...recorded(log, ports, options));
  const take = (events: readonly SessionEvent[]) => {
    lines.push(...events.map((event) => JSON.stringify(event)));
  };
  take(session.events.slice(log.past.length));
  session.subscribe({ onEvents: take });
  return {
    session,
    expectEqualReplay: async () => {
      const { entries } = recording;
      const kept = { id: session.id, entries, log: lines, fetch: (hash: string) => recording.fetch(hash) };
      expectEqual(await replaySession(kept, { product: thisProduct, turn: () => systemClock.yield() }));
    },
  };
}

/** The same, into a file that has everything in it. */
export async function recordInto(
  file: RecordingFile,
  log: SessionLog,
  ports: SessionPorts,
): Promise<Session> {
  const take = (events: readonly SessionEvent[]) => {
    for (const event of events) file.log(JSON.stringify(event));
  };
  take(log.past);
  const { errors } = thisProduct;
  const options = { sink: file, clock: systemClock, mask: masking(ports.secrets), errors };
  const session = await Session.open(...recorded(log, ports, options));
  session.subscribe({ onEvents: take });
  return session;
}

/** The same, closed and played back when the test is over. */
export async function recordedSession(
  log: SessionLog,
  ports: SessionPorts,
  sessions?: string,
): Promise<Session> {
  const { session, expectEqualReplay } = await record(log, ports, sessions);
  onTestFinished(async () => {
    // A test may have left a disk that takes nothing.
    await session.close().catch(() => undefined);
    await expectEqualReplay();
  });
  return session;
}

async function linesOf(sessions: string, id: string): Promise<string[]> {
  return (await readFile(logOf(sessions, id), 'utf8')).trimEnd().split('\n');
}
