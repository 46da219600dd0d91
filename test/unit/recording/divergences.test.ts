// Each way in which what comes out can be something else than was recorded, and that it is told as that.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Entry } from '../../../extension/core/recording/entry.ts';
import type { RecordingLine } from '../../../extension/core/recording/recording-lines.ts';
import { replayRecording } from '../../../extension/node/recording/read-recording.ts';
import { tempDir } from '../../support/temp-dir.ts';

const KEPT = join(import.meta.dirname, '../../fixtures/recordings/anthropic.jsonl');

/** Plays the kept recording as `change` has left it. */
async function played(change: (lines: RecordingLine[]) => readonly RecordingLine[]) {
  const lines = (await readFile(KEPT, 'utf8')).trim().split('\n');
  const changed = change(lines.map((line) => JSON.parse(line) as RecordingLine));
  const path = join(await tempDir(), 'run.jsonl');
  await writeFile(path, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return replayRecording(path);
}

type Start = Extract<Entry, { kind: 'start' }>;

/** The last call of this name. */
function lastCall(lines: readonly RecordingLine[], name: string): Start {
  const start = lines.findLast((line): line is Start => line.kind === 'start' && line.name === name);
  return start ?? expect.unreachable(`no call of ${name}`);
}

const withoutCall = (lines: readonly RecordingLine[], { id }: Start) =>
  lines.filter((line) => !('id' in line && line.id === id));

/** With another text in the last line of the log that matches. */
function withLog(lines: readonly RecordingLine[], pattern: RegExp, text: string): readonly RecordingLine[] {
  const at = lines.findLastIndex((line) => line.kind === 'log' && pattern.test(line.line));
  const line = lines[at];
  if (line?.kind !== 'log') return expect.unreachable(`no line has ${pattern}`);
  return lines.with(at, { ...line, line: line.line.replace(pattern, text) });
}

test('as it was kept it is equal', async () => {
  expect(await played((lines) => lines)).toMatchObject({ equal: true, missing: 0, otherHashes: 0 });
});

test('what the log has beyond the recording is counted', async () => {
  const isAfter = (line: RecordingLine, at: number) => line.kind !== 'log' && 'at' in line && line.at > at;
  const result = await played((lines) => {
    const { at } = lastCall(lines, 'log.append');
    return lines.filter(
      (line) => line.kind === 'log' || !(isAfter(line, at) || line === lastCall(lines, 'log.append')),
    );
  });
  expect(result).toMatchObject({ equal: true, isCut: true });
  expect(result.equal && result.missing).toBeGreaterThan(0);
});

test.each<[string, string | RegExp, (lines: RecordingLine[]) => readonly RecordingLine[]]>([
  [
    'a call is asked for something else',
    '“wire.fetch” was called with other values than in the recording',
    (lines) => {
      const call = lastCall(lines, 'wire.fetch');
      return lines.with(lines.indexOf(call), { ...call, given: '0'.repeat(32) });
    },
  ],
  [
    'a call was not recorded',
    '“log.sync” was called, but not in the recording.',
    (lines) => withoutCall(lines, lastCall(lines, 'log.sync')),
  ],
  [
    'a call that was recorded does not come',
    'The next recorded step did not occur.',
    (lines) => {
      const close = lines.findIndex((line) => line.kind === 'input' && line.name === 'close');
      return lines.toSpliced(close, 0, { ...lastCall(lines, 'log.sync'), id: 1_000 });
    },
  ],
  [
    'something is read more often',
    '“log.trouble” was read more often than in the recording.',
    (lines) => {
      const at = lines.findLastIndex((line) => 'read' in line && 'log.trouble' in (line.read ?? {}));
      return lines.with(at, { ...(lines[at] as Start), read: {} });
    },
  ],
  [
    'more events were appended at once',
    /^After event \d+, the recording has 3 events, but the replay produced these: user, turn_started\./,
    (lines) => {
      const at = lines.findIndex((line) => line.kind === 'end' && line.id === 2);
      return lines.with(at, {
        ...(lines[at] as Extract<Entry, { kind: 'end' }>),
        value: { times: [1000, 1000, 1000], more: 0 },
      });
    },
  ],
  [
    'an event is not in the log',
    /^Event \d+ is not in the recorded log/,
    (lines) =>
      lines.toSpliced(
        lines.findLastIndex(({ kind }) => kind === 'log'),
        1,
      ),
  ],
  ['an event says something else', /^Event \d+/, (lines) => withLog(lines, /They differ/, 'They do not')],
  [
    'an event has another hash, and no secret is hidden',
    /^Event \d+/,
    (lines) => withLog(lines, /"prev":"[0-9a-f]{64}"/, `"prev":"${'0'.repeat(64)}"`),
  ],
])('it is told that %s', async (_what, message, change) => {
  const result = await played(change);
  expect(result.equal).toBe(false);
  if (!result.equal) expect(result.divergence.message).toMatch(message);
});
