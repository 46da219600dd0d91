import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { SessionLog } from '../../extension/core/ports/session-store.ts';
import type { Entry } from '../../extension/core/recording/entry.ts';
import { MemoryRecording } from '../../extension/core/recording/memory-recording.ts';
import { recorded } from '../../extension/core/recording/record/record-session.ts';
import type { RecordedSession } from '../../extension/core/recording/recorded-session.ts';
import { replaySession } from '../../extension/core/recording/replay/replay-session.ts';
import { thisProduct } from '../../extension/core/recording/replay/this-product.ts';
import { maskPolicy } from '../../extension/core/secrets/streaming-filter.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import { readEvent } from '../../extension/node/log/read-record.ts';
import { logOf } from '../../extension/node/log/session-files.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { expectEqual } from './expect-replay.ts';

export interface Recorded {
  readonly session: Session;
  /** What a replay starts from, in the order of the recording: what happened, without its times, and the lines of the log. */
  evidence(): string;
  /** Plays back what was recorded so far: the log that comes out has to be the same, hash for hash. */
  expectEqualReplay(): Promise<void>;
}

/** Opens a session that is recorded. `sessions` is the folder of its log; where it has none there, its events are the log. */
export async function record(log: SessionLog, ports: SessionPorts, sessions = ''): Promise<Recorded> {
  const recording = new MemoryRecording();
  const { errors } = thisProduct;
  const passing = recorded(log, ports, {
    sink: recording,
    clock: systemClock,
    errors,
    policy: maskPolicy(ports.secrets),
  });
  const lines = await linesOf(sessions, log.id).catch(() => log.past.map((event) => JSON.stringify(event)));
  const session = await Session.open(passing.log, passing.ports);
  const take = (events: readonly SessionEvent[]) => {
    lines.push(...events.map((event) => JSON.stringify(event)));
  };
  take(session.events.slice(log.past.length));
  session.subscribe({ onEvents: take });
  return {
    session,
    evidence: () => JSON.stringify({ entries: recording.entries.map(withoutTimes), lines }),
    expectEqualReplay: async () => {
      passing.close();
      const kept: RecordedSession = {
        id: session.id,
        entries: async function* () {
          yield* recording.entries;
        },
        log: { length: lines.length, lines: async (first, last) => lines.slice(first - 1, last) },
        fetch: (hash) => recording.fetch(hash),
      };
      const product = { ...thisProduct, tools: ports.tools };
      const replayed = await replaySession(kept, { product, turn: () => systemClock.yield() });
      expectEqual(replayed, lines.length - log.past.length);
    },
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

async function linesOf(sessions: string, id: string): Promise<string[]> {
  const lines = (await readFile(logOf(sessions, id), 'utf8')).split('\n');
  // What could not be mended yet is no part of it.
  return lines.filter((line) => readEvent(line) !== undefined);
}

/** Arguments are recorded as a digest, and most have a time in them. */
const withoutTimes = ({ at: _at, read: _read, ...entry }: Entry) => ({ ...entry, given: undefined });
