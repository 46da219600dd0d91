import { expect } from 'vitest';
import { describeEntry } from '../../extension/core/recording/divergence.ts';
import type { ReplayResult } from '../../extension/core/recording/replay-session.ts';
import { replayRecording } from '../../extension/node/replay-recording.ts';

/** Makes a recording a regression test: what comes out now has to be what was recorded, hash for hash. */
export async function expectReplay(path: string): Promise<void> {
  expectEqual(await replayRecording(path));
}

export function expectEqual(result: ReplayResult): void {
  if (result.equal) return;
  const { message, diff, entry } = result.divergence;
  expect.fail(`The replay is another one. ${message}\n${diff}\nRecorded next: ${describeEntry(entry)}`);
}
