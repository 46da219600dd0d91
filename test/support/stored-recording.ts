import { appendFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logOf, recordingOf } from '../../extension/node/log/session-files.ts';
import { tempDir } from './temp-dir.ts';

export const RECORDED_RUN = join(import.meta.dirname, '../fixtures/recordings/anthropic.jsonl');

const isLog = (line: string) => line.startsWith('{"kind":"log"');

async function recordedLines(): Promise<string[]> {
  return (await readFile(RECORDED_RUN, 'utf8')).trim().split('\n');
}

/** The session of a recorded run in a folder of sessions, with its recording. */
export async function storedRecording(lines?: readonly string[]) {
  const sessions = await tempDir();
  const stored = lines ?? (await recordedLines());
  const { session: id } = JSON.parse(stored[0] ?? '') as { session: string };
  await mkdir(join(sessions, id));
  appendTo(sessions, id, stored);
  return { sessions, id };
}

/** The same while its run is on, and what becomes of it when that goes on. */
export async function growingRecording() {
  const lines = await recordedLines();
  const logged = lines.flatMap((line, index) => (isLog(line) ? index : []));
  const middle = (logged[Math.floor(logged.length / 2)] ?? 0) + 1;
  const stored = await storedRecording(lines.slice(0, middle));
  return { ...stored, goOn: () => appendTo(stored.sessions, stored.id, ['', ...lines.slice(middle)]) };
}

function appendTo(sessions: string, id: string, lines: readonly string[]): void {
  const log = lines.filter(isLog).map((line) => JSON.parse(line).line as string);
  appendFileSync(logOf(sessions, id), log.map((line) => `${line}\n`).join(''));
  appendFileSync(recordingOf(sessions, id), lines.filter((line) => !isLog(line)).join('\n'));
}
