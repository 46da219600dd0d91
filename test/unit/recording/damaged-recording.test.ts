// Recordings that are whole lines of JSON, and yet not what Harness has written.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecordingFile, replayRead } from '../../../extension/node/recording/read-recording.ts';
import { randomFrom } from '../../support/random-from.ts';
import { RECORDED_RUN } from '../../support/stored-recording.ts';
import { tempDir } from '../../support/temp-dir.ts';

const LINES = (await readFile(RECORDED_RUN, 'utf8')).trim().split('\n');
type Fields = Record<string, unknown>;

/** What is told of the recorded run with other lines. */
async function toldOf(lines: readonly string[]) {
  const path = join(await tempDir(), 'run.jsonl');
  await writeFile(path, lines.join('\n'));
  try {
    const recording = await readRecordingFile(path);
    const { damagedAt } = recording;
    const result = await replayRead(recording).finally(() => recording.close());
    return { damagedAt, equal: result.equal, message: result.equal ? '' : result.divergence.message };
  } catch (error) {
    return { damagedAt: undefined, equal: false, message: (error as Error).message };
  }
}

function changed(at: number, change: (line: Fields) => Fields | null): string[] {
  const line = JSON.parse(LINES[at] ?? '') as Fields;
  return LINES.with(at, JSON.stringify(change(line)));
}

const lineOf = (kind: string, name?: string) =>
  LINES.findIndex((text) => {
    const line = JSON.parse(text) as Fields;
    return line.kind === kind && (name === undefined || line.name === name);
  });
/** Where the first call of this name ends. */
function endOf(name: string): number {
  const { id } = JSON.parse(LINES[lineOf('start', name)] ?? '') as Fields;
  return LINES.findIndex((text) => text.startsWith(`{"kind":"end","id":${id},`));
}

describe('a line that is none of a recording is damaged, and what stands before it plays', () => {
  const middle = endOf('log.append');
  test.each<[string, Fields]>([
    ['what was read', { read: { now: 5 } }],
    ['what was read how often', { read: { now: [[1]] } }],
    ['its number', { id: 'x' }],
    ['its time', { at: null }],
  ])('%s', async (_what, fields) => {
    const told = await toldOf(changed(middle, (line) => ({ ...line, ...fields })));
    expect(told).toEqual({ damagedAt: middle + 1, equal: true, message: '' });
  });

  test.each<[string, string, Fields]>([
    ['an opening', 'open', { has: null }],
    ['an opening', 'open', { past: -1 }],
    ['a call', 'start', { name: 7 }],
    ['what was done', 'input', { given: {} }],
    ['a line of the log', 'log', { line: 5 }],
  ])('%s', async (_what, kind, fields) => {
    const at = lineOf(kind);
    const told = await toldOf(changed(at, (line) => ({ ...line, ...fields })));
    expect(told.damagedAt).toBe(at + 1);
  });

  test('the first one', async () => {
    const told = await toldOf(changed(0, (line) => ({ ...line, session: null })));
    expect(told.message).toBe('This is not a recording of a session.');
  });
});

test.each([
  ['log.append', undefined],
  ['log.append', { times: 5, more: 0 }],
  ['settings', null],
])('what “%s” gave, and cannot have given, is told as damage: %j', async (name, value) => {
  const told = await toldOf(changed(endOf(name), (line) => ({ ...line, value })));
  expect(told).toMatchObject({ equal: false, message: 'The recording is damaged here.' });
});

test.each(['null', '5', '[]', '{}', '{"session":"s"}'])('a line of the log that is %s', async (line) => {
  const told = await toldOf(changed(lineOf('log'), (log) => ({ ...log, line })));
  expect(told).toMatchObject({ equal: false, message: 'Line 1 of the recorded log is damaged.' });
});

describe('under another name', () => {
  const logged = LINES.flatMap((text, at) => (text.startsWith('{"kind":"log"') ? at : []));
  const eventAt = (at: number) =>
    JSON.parse((JSON.parse(LINES[at] ?? '') as { line: string }).line) as Fields;
  const withEvent = (event: Fields) => (log: Fields) => ({ ...log, line: JSON.stringify(event) });

  test('a line of the log is told, whichever it is', async () => {
    for (const [index, at] of logged.entries()) {
      const told = await toldOf(changed(at, withEvent({ ...eventAt(at), session: 'another' })));
      const problem = index === 0 ? 'Event 2 differs' : `Line ${index + 1} of the recorded log is damaged.`;
      expect(told).toMatchObject({ equal: false, message: expect.stringContaining(problem) });
    }
  });

  /** Each event chained anew, as in a copy of the session; `change` may do more to it. */
  function copied(change: (event: Fields, index: number) => Fields = (event) => event): string[] {
    const lines = [...LINES];
    let prev = '';
    for (const [index, at] of logged.entries()) {
      const line = JSON.stringify(change({ ...eventAt(at), session: 'another', prev }, index));
      prev = createHash('sha256').update(line).digest('hex');
      lines[at] = JSON.stringify({ kind: 'log', line });
    }
    return lines;
  }

  test('the whole log plays, and no line of it that does not follow the one before', async () => {
    expect(await toldOf(copied())).toMatchObject({ equal: true });
    for (const wrong of logged.keys()) {
      const lines = copied((event, index) => (index === wrong ? { ...event, prev: 'f'.repeat(64) } : event));
      if (wrong > 0) expect(await toldOf(lines)).toMatchObject({ equal: false });
    }
  });
});

/** Words of the language in which this is written, and no sentence. */
const RAW =
  /undefined|null|is not a function|not iterable|Cannot (read|destructure|convert|set)|Unexpected|JSON|Invalid|The "/;

test('whatever one value is, nobody is told of it in the words of a programmer', async () => {
  const random = randomFrom(7);
  const pick = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)] as Value;
  const bad = [
    null,
    true,
    -1,
    0.5,
    '',
    [],
    {},
    [[]],
    { $bytes: 1 },
    { $text: 'x' },
    { $error: null },
    { $map: 1 },
  ];
  const raw: string[] = [];
  for (let round = 0; round < 150; round += 1) {
    const at = Math.floor(random() * LINES.length);
    const lines = changed(at, (line) => {
      const places: [Fields, string][] = [];
      const look = (value: Fields) => {
        for (const [name, field] of Object.entries(value)) {
          places.push([value, name]);
          if (typeof field === 'object' && field !== null) look(field as Fields);
        }
      };
      look(line);
      const [place, name] = pick(places);
      place[name] = pick(bad);
      return line;
    });
    const { message } = await toldOf(lines);
    if (RAW.test(message)) raw.push(`${message} | ${lines[at]?.slice(0, 200)}`);
  }
  expect(raw).toEqual([]);
});
