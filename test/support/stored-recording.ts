import { appendFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobFiles } from '../../extension/node/blobs/blob-files.ts';
import { logOf, recordingOf } from '../../extension/node/log/session-files.ts';
import { tempDir } from './temp-dir.ts';

const RECORDINGS = join(import.meta.dirname, '../fixtures/recordings');
export const RECORDED_RUN = join(RECORDINGS, 'anthropic.jsonl');
/** What the requests of the recorded run begin with: the bytes of the blob that its log names. */
export const RECORDED_PREFIX = join(RECORDINGS, 'anthropic.prefix.json');

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
  await new BlobFiles(join(sessions, id, 'blobs')).put(await readFile(RECORDED_PREFIX));
  appendTo(sessions, id, stored);
  return { sessions, id };
}

/** The same while its run is on, and what becomes of it when that goes on. */
export async function growingRecording() {
  const lines = await recordedLines();
  const logged = lines.flatMap((line, index) => (isLog(line) ? index : []));
  const half = logged[Math.floor(logged.length / 2)] ?? 0;
  // The events of one append are written at once.
  const middle = lines.findIndex((line, index) => index > half && !isLog(line));
  const stored = await storedRecording(lines.slice(0, middle));
  return { ...stored, goOn: () => appendTo(stored.sessions, stored.id, ['', ...lines.slice(middle)]) };
}

function appendTo(sessions: string, id: string, lines: readonly string[]): void {
  const log = lines.filter(isLog).map((line) => JSON.parse(line).line as string);
  appendFileSync(logOf(sessions, id), log.map((line) => `${line}\n`).join(''));
  appendFileSync(recordingOf(sessions, id), lines.filter((line) => !isLog(line)).join('\n'));
}
