import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SessionRecordings } from '../../../../extension/app/recordings/session-recordings.ts';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { logOf, recordingOf } from '../../../../extension/node/log/session-files.ts';
import { recordingsIn } from '../../../../extension/node/recording/recording-file.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { exportSession } from '../../../../extension/node/transfer/export-session.ts';
import { importSession } from '../../../../extension/node/transfer/import-session.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { scenario } from '../../../support/scenario.ts';
import { storedRecording } from '../../../support/stored-recording.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** A session with its recording, and what is found in them. */
async function recorded() {
  const { sessions, id } = await storedRecording();
  const path = recordingOf(sessions, id);
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  const verify = async () => {
    const { recording, problems } = await verifySession(sessions, id);
    return { ...recording, problems: problems.map(({ file, line, message }) => ({ file, line, message })) };
  };
  const rewrite = (...changed: readonly string[]) => writeFile(path, `${changed.join('\n')}\n`);
  return { sessions, id, path, text, lines, verify, rewrite };
}

const blobLine = (content: Buffer, hash = versionOf(content)) =>
  JSON.stringify({ kind: 'blob', hash, bytes: content.toString('base64') });
const inRecording = (message: unknown, line?: number) => ({ file: 'recording.jsonl', line, message });

test('a recording that is what was written is sound, and how long it is is told', async () => {
  const { text, lines, verify } = await recorded();
  const recording = { lines: lines.length, bytes: text.length, isCut: false };
  expect(await verify()).toEqual({ ...recording, problems: [] });
});

test('a session that was not recorded is sound', async () => {
  const { sessions, id, path } = await recorded();
  await rm(path);
  expect(await verifySession(sessions, id)).toMatchObject({ recording: undefined, problems: [] });
});

test('a recording may end anywhere, also where another process has gone on behind that', async () => {
  const { path, text, lines, verify } = await recorded();
  await truncate(path, text.length - 5);
  expect(await verify()).toMatchObject({ lines: lines.length - 1, isCut: true, problems: [] });
  await appendFile(path, `\n${lines[0]}\n`);
  expect(await verify()).toMatchObject({ lines: lines.length, isCut: false, problems: [] });
  await writeFile(path, '');
  expect(await verify()).toMatchObject({ lines: 0, isCut: false, problems: [] });
});

test('a line that is damaged is told with its number, and once', async () => {
  const { lines, rewrite, verify } = await recorded();
  await rewrite(...lines.with(4, '{"kind":"sta\0\0'));
  expect(await verify()).toMatchObject({
    lines: 4,
    isCut: false,
    problems: [inRecording(expect.stringMatching(/^This line is damaged/), 5)],
  });
});

test.each([
  ['nothing that Harness knows', '{"kind":"other"}', 'This is not a recording of a session.'],
  ['one of a newer version', '{"kind":"recording","version":99}', /^This recording has format 99/],
])('%s is told', async (_, header, message) => {
  const { lines, rewrite, verify } = await recorded();
  await rewrite(...lines.with(0, header));
  expect((await verify()).problems).toEqual([
    inRecording(typeof message === 'string' ? message : expect.stringMatching(message)),
  ]);
});

test('one that plays on another system alone is sound', async () => {
  const { lines, rewrite, verify } = await recorded();
  const elsewhere = { ...JSON.parse(lines[0] ?? ''), separator: '\\' };
  await rewrite(...lines.with(0, JSON.stringify(elsewhere)));
  expect((await verify()).problems).toEqual([]);
});

test.each([1, 5_000, 20_000_000])('%d bytes that are named are looked at, all of them', async (size) => {
  const { lines, rewrite, verify } = await recorded();
  const content = Buffer.alloc(size, 'abcde');
  const named = JSON.stringify({
    kind: 'input',
    id: 999,
    name: 'x',
    at: 1,
    given: [{ $blob: versionOf(content) }],
  });
  await rewrite(...lines, blobLine(content), named);
  expect((await verify()).problems).toEqual([]);
  const other = Buffer.from(content).fill('x', size - 1);
  await rewrite(...lines, blobLine(other, versionOf(content)), named);
  expect((await verify()).problems).toEqual([
    inRecording('The data in this line differs from what was recorded.', lines.length + 1),
  ]);
  await rewrite(...lines, named);
  expect((await verify()).problems).toEqual([
    inRecording(expect.stringMatching(/^The recording is incomplete/)),
  ]);
});

/** Two processes have recorded what they said; the first one has said more that never came into the log. */
async function toldTwice() {
  const { store, ports, clock, root, session } = await scenario();
  const sessions = `${root}/../home/sessions`;
  onTestFinished(() => session.close());
  const recordings = new SessionRecordings({
    openFile: recordingsIn(sessions, 'test'),
    clock: systemClock,
    isWanted: () => true,
  });
  const { id } = await store.create({ cwd: root, product: 'test' }).then(async (log) => {
    await log.close();
    return log;
  });
  const say = async (prompts: readonly string[]) => {
    const log = await store.open(id);
    const opened = await recordings.begin(log, ports);
    for (const content of prompts) {
      clock.advance(1_000);
      await opened.log.append([{ type: 'user', content }]);
    }
    await opened.close();
    await log.close();
  };
  await say(['one', 'two', 'lost']);
  const log = logOf(sessions, id);
  const cutLast = async () => {
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    await writeFile(log, `${lines.slice(0, -1).join('\n')}\n`);
  };
  await cutLast();
  await say(['three', 'four']);
  return { sessions, id, log, cutLast, say };
}

test('that it is of its log is looked at, also where a part of that was lost with the power', async () => {
  const { sessions, id, cutLast, say } = await toldTwice();
  expect((await verifySession(sessions, id)).problems).toEqual([]);
  await cutLast();
  expect((await verifySession(sessions, id)).problems).toEqual([
    {
      file: 'recording.jsonl',
      line: expect.any(Number),
      at: expect.any(Number),
      message:
        'The recording has more events than this log (1 more). The end of the log was cut off or never written.',
    },
  ]);
  await cutLast();
  await cutLast();
  const [problem, ...more] = (await verifySession(sessions, id)).problems;
  expect(problem).toMatchObject({
    file: 'recording.jsonl',
    message: 'The log had 3 events when this was recorded. Now it has 2.',
  });
  expect(more).toEqual([]);
  await say(['five']);
  expect((await verifySession(sessions, id)).problems).toEqual([]);
});

test('the recording of another session is told', async () => {
  const [one, other] = [await toldTwice(), await recorded()];
  await writeFile(recordingOf(one.sessions, one.id), other.text);
  const { problems } = await verifySession(one.sessions, one.id);
  expect(problems).toMatchObject([
    {
      file: 'recording.jsonl',
      line: expect.any(Number),
      message: 'This recording does not belong to this log: event 2 differs.',
    },
  ]);
});

test('a copy of the session under another name has its recording, and what was said there is not missed', async () => {
  const { sessions, id, cutLast, say } = await toldTwice();
  const file = `${await tempDir()}/x.harness-session`;
  await exportSession({ root: sessions, id, secrets: new SecretFilter(), product: 'test' }, file);
  await cutLast();
  await say(['here']);
  const copy = await importSession({ root: sessions, clock: systemClock, cwd: '/there' }, file);
  expect(copy.as).toBe('copy');
  const report = await verifySession(sessions, copy.id);
  expect(report).toMatchObject({ recording: { isCut: false }, problems: [] });
});
