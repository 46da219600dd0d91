import { open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { readRecordingLine } from '../../../../extension/node/log/recording-lines.ts';
import { recordingOf } from '../../../../extension/node/log/session-files.ts';
import {
  readRecordingFile,
  readSessionRecording,
  replayRead,
  replayRecording,
} from '../../../../extension/node/recording/read-recording.ts';
import { RecordingFile } from '../../../../extension/node/recording/recording-file.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { exportSession } from '../../../../extension/node/transfer/export-session.ts';
import { importSession } from '../../../../extension/node/transfer/import-session.ts';
import { growingRecording, RECORDED_RUN, storedRecording } from '../../../support/stored-recording.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const logger = { warn: () => {} };

/** What is left in the folder for what is there for a moment. */
const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('harness-replay-'));

beforeEach(async () => {
  vi.stubEnv('TMPDIR', await tempDir());
  return () => vi.unstubAllEnvs();
});

test('one file plays, packed or not, and nothing of what was unpacked stays', async () => {
  const packed = join(await tempDir(), 'run.gz');
  await writeFile(packed, gzipSync(await readFile(RECORDED_RUN)));
  const results = [await replayRecording(RECORDED_RUN), await replayRecording(packed)];
  expect(results[0]).toMatchObject({ equal: true, missing: 0 });
  expect(results[0]?.events).toBeGreaterThan(10);
  expect(results[1]).toEqual(results[0]);
  expect(await leftovers()).toEqual([]);
});

describe('what is unpacked has an end', () => {
  test('in bytes', async () => {
    const packed = join(await tempDir(), 'bomb.gz');
    await writeFile(packed, gzipSync(Buffer.alloc(5_000_000, 'x')));
    await expect(readRecordingFile(packed, 3_000_000)).rejects.toThrow('unpacks to more than 3 MB');
    await expect(readRecordingFile(packed)).rejects.toThrow('This is not a recording of a session.');
    expect(await leftovers()).toEqual([]);
  });

  test('cut off', async () => {
    const packed = join(await tempDir(), 'half.gz');
    await writeFile(packed, gzipSync(await readFile(RECORDED_RUN)).subarray(0, 3_000));
    await expect(readRecordingFile(packed)).rejects.toThrow('damaged and cannot be unpacked');
  });
});

test('bytes that many lines name are read when they are asked for', async () => {
  const path = join(await tempDir(), 'run.jsonl');
  const file = new RecordingFile({ path, session: 's', product: 'test', logger });
  const hash = (digit: number) => `${digit}`.repeat(64);
  for (const digit of [1, 2, 3]) file.keep(hash(digit), Buffer.from(`bytes ${digit}`));
  await file.close();
  const { session, close } = await readRecordingFile(path);
  expect(Buffer.from(await session.fetch(hash(2))).toString()).toBe('bytes 2');
  await expect(session.fetch(hash(4))).rejects.toThrow('data is missing (444444444444)');
  await close();
});

describe('no line is taken for what it is not', () => {
  async function oneLine(text: string) {
    const path = join(await tempDir(), 'run.jsonl');
    await writeFile(path, text);
    const file = await open(path);
    onTestFinished(() => file.close());
    return { path, file, place: { at: 0, length: text.length } };
  }

  test('one that is too long to be held', async () => {
    const { file, place } = await oneLine('{"kind":"blob"}');
    expect(await readRecordingLine(file, place, place.length)).toBe('{"kind":"blob"}');
    await expect(readRecordingLine(file, place, place.length - 1)).rejects.toThrow('too long to replay');
  });

  test('one that was cut since it was found', async () => {
    const { path, file, place } = await oneLine('{"kind":"blob"}');
    await truncate(path, 5);
    await expect(readRecordingLine(file, place)).rejects.toThrow('became shorter during the replay');
  });
});

test('a line of the log that is no event is told by its number', async () => {
  const path = join(await tempDir(), 'run.jsonl');
  const lines = (await readFile(RECORDED_RUN, 'utf8')).trimEnd().split('\n');
  const third = lines.flatMap((line, index) => (line.startsWith('{"kind":"log"') ? [index] : []))[2] ?? 0;
  await writeFile(path, lines.with(third, '{"kind":"log","line":"nonsense"}').join('\n'));
  expect(await replayRecording(path)).toMatchObject({
    equal: false,
    divergence: { message: 'Line 3 of the recorded log is damaged.' },
  });
});

async function replaySession(sessions: string, id: string) {
  const recording = await readSessionRecording(sessions, id);
  try {
    return await replayRead(recording);
  } finally {
    await recording.close();
  }
}

test('the copy of a session under another name plays as the session does', async () => {
  const { sessions, id } = await storedRecording();
  const played = await replaySession(sessions, id);
  expect(played).toMatchObject({ equal: true, missing: 0 });
  const there = await tempDir();
  await carry(sessions, there, id);
  const log = await new JsonlSessionStore(there, systemClock).open(id);
  await log.append([{ type: 'user', content: 'It went on there.' }]);
  await log.close();
  const copy = await carry(there, sessions, id);
  expect(copy.as).toBe('copy');
  expect(await replaySession(sessions, copy.id)).toEqual({ ...played, missing: 5 });
});

/** A session goes from the sessions of one machine to those of another. */
async function carry(from: string, to: string, id: string) {
  const file = join(from, 'x.harness-session');
  await exportSession({ root: from, id, secrets: new SecretFilter(), product: 'test' }, file);
  return importSession({ root: to, clock: systemClock, cwd: '/there' }, file);
}

describe('a session plays as far as it was when it was asked for', () => {
  test('while it goes on', async () => {
    const { sessions, id, goOn } = await growingRecording();
    const recording = await readSessionRecording(sessions, id);
    goOn();
    expect(await replayRead(recording)).toMatchObject({ equal: true, unwritten: 0, isCut: true });
    await recording.close();
  });

  test('exported while it goes on', async () => {
    const { sessions, id, goOn } = await growingRecording();
    const secrets = new SecretFilter();
    // Asked while the log is being read.
    vi.spyOn(secrets, 'leaving').mockImplementationOnce((event) => {
      goOn();
      return event;
    });
    const file = join(sessions, 'x.harness-session');
    await exportSession({ root: sessions, id, secrets, product: 'test' }, file);
    expect(await replayRecording(file)).toMatchObject({ equal: true, unwritten: 0, isCut: true });
  });
});

test('where the log is shorter than when a process has opened it, that is said', async () => {
  const { sessions, id } = await storedRecording();
  const path = recordingOf(sessions, id);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"past":1', '"past":1000'));
  expect(await replaySession(sessions, id)).toMatchObject({
    equal: false,
    divergence: { message: expect.stringMatching(/^The recorded log ends with event \d+\.$/) },
  });
});
