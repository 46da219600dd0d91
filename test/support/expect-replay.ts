import { expect } from 'vitest';
import { describeEntry } from '../../extension/core/recording/divergence.ts';
import type { ReplayResult } from '../../extension/core/recording/replay/replay-session.ts';
import { readRecordingFile, replayRead } from '../../extension/node/recording/read-recording.ts';

/** Makes a recording a regression test: what comes out now has to be what was recorded, hash for hash. */
export async function expectReplay(path: string): Promise<void> {
  const recording = await readRecordingFile(path);
  try {
    expect(recording.damagedAt, 'the line from which on it is damaged').toBeUndefined();
    const result = await replayRead(recording);
    expectEqual(result);
    expect(result, 'it ends before its session was closed').toMatchObject({ isCut: false, unwritten: 0 });
  } finally {
    await recording.close();
  }
}

/** `events` that came out; any number of them, but some, where that is not known. */
export function expectEqual(result: ReplayResult, events?: number): void {
  if (result.equal) {
    if (events === undefined) expect(result.events - result.unwritten, 'events compared').toBeGreaterThan(0);
    else expect(result).toMatchObject({ events, unwritten: 0, missing: 0 });
    return;
  }
  const { message, diff, entry, cause } = result.divergence;
  const failed = cause instanceof Error ? `\nFailed last: ${cause.stack}` : '';
  expect.fail(
    `The replay is another one. ${message}\n${diff}\nRecorded next: ${describeEntry(entry)}${failed}`,
  );
}
