import { isCut, logLines } from './log-lines.ts';
import { readRange } from './read-range.ts';
import { recordOf } from './read-record.ts';

const LINE_FEED = Buffer.from('\n');

/** The intact lines of the log at `path` as they stand there, whatever their length. `onDamaged` is told of each other one, but for one that does not end: it may be about to. */
export async function* storedLines(path: string, onDamaged: () => void): AsyncGenerator<Uint8Array> {
  for await (const lines of logLines(path)) {
    let some: Buffer[] = [];
    for (const line of lines) {
      if (!recordOf(line)) {
        if (line.isEnded) onDamaged();
      } else if (!isCut(line)) some.push(line.bytes, LINE_FEED);
      else {
        yield Buffer.concat(some);
        some = [LINE_FEED];
        yield* readRange(path, line.at, line.at + line.length);
      }
    }
    yield Buffer.concat(some);
  }
}
