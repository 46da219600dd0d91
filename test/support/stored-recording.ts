import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logOf, recordingOf } from '../../extension/node/session-files.ts';
import { tempDir } from './temp-dir.ts';

export const RECORDED_RUN = join(import.meta.dirname, '../fixtures/recordings/anthropic.jsonl');

/** The session of a recorded run in a folder of sessions, with its recording. */
export async function storedRecording() {
  const sessions = await tempDir();
  const lines = (await readFile(RECORDED_RUN, 'utf8')).trim().split('\n');
  const isLog = (line: string) => line.startsWith('{"kind":"log"');
  const log = lines.filter(isLog).map((line) => JSON.parse(line).line as string);
  const { session: id } = JSON.parse(lines[0] ?? '') as { session: string };
  await mkdir(join(sessions, id));
  await writeFile(recordingOf(sessions, id), lines.filter((line) => !isLog(line)).join('\n'));
  await writeFile(logOf(sessions, id), `${log.join('\n')}\n`);
  return { sessions, id };
}
