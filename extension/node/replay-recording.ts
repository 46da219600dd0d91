import { type ReplayOptions, type ReplayResult, replaySession } from '../core/recording/replay-session.ts';
import { thisProduct } from '../core/recording/this-product.ts';
import { type ReadRecording, readRecordingFile } from './read-recording.ts';
import { systemClock } from './system-clock.ts';

/** Plays the recording in a file through the loop that there is now, as fast as it can. Rejects for a file that cannot be played. */
export async function replayRecording(
  path: string,
  options?: Pick<ReplayOptions, 'listener' | 'pace'>,
): Promise<ReplayResult> {
  const recording = await readRecordingFile(path);
  try {
    return await replayRead(recording, options);
  } finally {
    await recording.close();
  }
}

/** The same for one that was read already. */
export function replayRead(
  { session }: ReadRecording,
  options?: Pick<ReplayOptions, 'listener' | 'pace'>,
): Promise<ReplayResult> {
  return replaySession(session, { product: thisProduct, turn: () => systemClock.yield(), ...options });
}
