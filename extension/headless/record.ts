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

/** A log that is recorded into one file, which has all that is needed to play it. */
export interface RecordedLog extends Opened {
  /** Puts events of the log into the file. */
  take(events: readonly SessionEvent[]): void;
}

/** Rejects with `UsageError` where the file cannot be made, or is there: whatever it holds, it stays. */
export async function makeRecording(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(
      errorCode(error) === 'EEXIST'
        ? `--record: ${path} is there already; name a file that is not`
        : `--record: the file cannot be written: ${(error as Error).message}`,
    );
  });
}

/** Into the file at `path`, which `makeRecording` has made. `past`: the lines of the log, as they stand there, as many at a time as are read at once. */
export async function recordLog(
  path: string,
  log: SessionLog,
  past: AsyncIterable<readonly string[]>,
  ports: SessionPorts,
): Promise<RecordedLog> {
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
