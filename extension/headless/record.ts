import { writeFile } from 'node:fs/promises';
import type { SessionLog } from '../core/ports/event-store.ts';
import { RECORDING_VERSION } from '../core/recording/entry.ts';
import { recorded } from '../core/recording/record-session.ts';
import { masking, thisProduct } from '../core/recording/this-product.ts';
import { Session } from '../core/session/session.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { RecordingFile } from '../node/recording-file.ts';
import { systemClock } from '../node/system-clock.ts';
import { LOG_VERSION, type SessionEvent } from '../protocol/events.ts';
import { UsageError } from './arguments.ts';
import { PRODUCT } from './product.ts';

/** A session that is recorded into one file, which has all that is needed to play it. */
export interface RecordedRun {
  readonly session: Session;
  /** Closes the session, then the file. */
  close(): Promise<void>;
}

/** `past`: the lines of the log, as they stand there. Rejects with `UsageError` where the file cannot be made. */
export async function openRecorded(
  path: string,
  log: SessionLog,
  past: readonly string[],
  ports: SessionPorts,
): Promise<RecordedRun> {
  await writeFile(path, '', { mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(`--record: the file cannot be written: ${(error as Error).message}`);
  });
  const file = new RecordingFile({ path, header: headerOf(log), logger: ports.logger });
  const take = (events: readonly SessionEvent[]) => {
    for (const event of events) file.log(JSON.stringify(event));
  };
  for (const line of past) file.log(line);
  const options = {
    sink: file,
    clock: systemClock,
    mask: masking(ports.secrets),
    errors: thisProduct.errors,
  };
  const session = await Session.open(...recorded(log, ports, options));
  take(session.events.slice(log.past.length));
  session.subscribe({ onEvents: take });
  return {
    session,
    close: async () => {
      try {
        await session.close();
      } finally {
        await file.close();
      }
    },
  };
}

export function headerOf({ id }: Pick<SessionLog, 'id'>) {
  const about = { version: RECORDING_VERSION, product: PRODUCT, node: process.version, log: LOG_VERSION };
  return { kind: 'recording' as const, ...about, session: id };
}
