import { writeFile } from 'node:fs/promises';
import type { Opened } from '../app/recordings/session-recordings.ts';
import type { SessionLog } from '../core/ports/session-store.ts';
import { thisProduct } from '../core/recording/replay/this-product.ts';
import { maskPolicy } from '../core/secrets/streaming-filter.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { errorCode } from '../node/fs/file-errors.ts';
import { RecordingFile } from '../node/recording/recording-file.ts';
import { systemClock } from '../node/system-clock.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { UsageError } from './arguments.ts';
import { PRODUCT } from './product.ts';

/** A log that is recorded into one file, which contains everything that a replay needs. */
export interface LogRecording extends Opened {
  /** Adds events of the log to the file. */
  take(events: readonly SessionEvent[]): void;
}

/** Creates the file. Rejects with `UsageError` if it exists or cannot be created; never overwrites one. */
export async function makeRecording(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(
      errorCode(error) === 'EEXIST'
        ? `--record: ${path} already exists; name a new file`
        : `--record: cannot create the file: ${(error as Error).message}`,
    );
  });
}

/**
 * Records into the file at `path`. The caller must create it with `makeRecording`. `past`: the lines of the
 * log, unchanged, one batch per read.
 */
export async function recordLog(
  path: string,
  log: SessionLog,
  past: AsyncIterable<readonly string[]>,
  ports: SessionPorts,
): Promise<LogRecording> {
  const file = new RecordingFile({ path, session: log.id, product: PRODUCT, logger: ports.logger });
  for await (const lines of past) {
    for (const line of lines) file.log(line);
    await file.written();
  }
  const { errors } = thisProduct;
  const { recorded } = await import('../core/recording/record/record-session.ts');
  const recording = recorded(log, ports, {
    sink: file,
    clock: systemClock,
    errors,
    policy: maskPolicy(ports.secrets),
  });
  return {
    ...recording,
    take: (events) => {
      for (const event of events) file.log(JSON.stringify(event));
    },
    close: () => {
      recording.close();
      return file.close();
    },
  };
}
