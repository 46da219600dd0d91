import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import type { SessionLog } from '../../extension/core/ports/event-store.ts';
import { MemoryRecording } from '../../extension/core/ports/memory-recording.ts';
import { describeEntry } from '../../extension/core/recording/divergence.ts';
import { recorded } from '../../extension/core/recording/record-session.ts';
import { replaySession } from '../../extension/core/recording/replay-session.ts';
import { masking, thisProduct } from '../../extension/core/recording/this-product.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import { logOf } from '../../extension/node/session-files.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';

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
    expectEqualReplay: () => expectEqual(session.id, recording, lines),
  };
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

async function expectEqual(id: string, recording: MemoryRecording, log: readonly string[]): Promise<void> {
  const { entries } = recording;
  const session = { id, entries, log, fetch: (hash: string) => recording.fetch(hash) };
  const result = await replaySession(session, { product: thisProduct, turn: () => systemClock.yield() });
  if (result.equal) return;
  const { message, diff, entry } = result.divergence;
  expect.fail(`The replay is another one. ${message}\n${diff}\nRecorded next: ${describeEntry(entry)}`);
}

async function linesOf(sessions: string, id: string): Promise<string[]> {
  return (await readFile(logOf(sessions, id), 'utf8')).trimEnd().split('\n');
}
