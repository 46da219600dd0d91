import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelEvent, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { withLogger } from '../../../extension/core/trace/trace-provider.ts';
import { loadLog, TraceFiles, type TraceFilesOptions } from '../../../extension/node/trace-files.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { collect } from '../../support/wire/neutral.ts';

const TURN: Turn = { model: 'm', system: '', messages: [], tools: [], maxTokens: 1 };
const EVENTS: readonly ModelEvent[] = [
  { type: 'text', text: 'Hello.' },
  { type: 'done', stop: 'end' },
];

interface Kept {
  readonly folder: string;
  readonly warnings: string[];
  turn(events?: readonly ModelEvent[]): Promise<void>;
  files(): Promise<string[]>;
}

async function keep(options: Partial<TraceFilesOptions> = {}): Promise<Kept> {
  const folder = options.folder ?? join(await tempDir(), 'traces');
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const sink = new TraceFiles({ folder, logger: { warn, error: warn }, ...options });
  const clock = new ManualClock(1_000);
  return {
    folder,
    warnings,
    turn: async (events = EVENTS) => {
      const model = withLogger(new ScriptedModel(events), { sink, clock });
      await collect(model.streamTurn(TURN, new AbortController().signal));
      await sink.close();
    },
    files: async () => (await readdir(folder)).sort(),
  };
}

test('each turn is a file of its own, for the user alone, that can be loaded', async () => {
  const { folder, turn, files } = await keep();
  await turn();
  await turn();
  const names = await files();
  expect(names).toHaveLength(2);
  for (const name of names) {
    const path = join(folder, name);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { events, problems } = await loadLog(path);
    expect(events.map(({ event }) => event)).toEqual(EVENTS);
    expect(problems).toEqual([]);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('for people it is a line for each event', async () => {
  const { folder, turn, files } = await keep({ format: 'pretty' });
  await turn();
  const [name = ''] = await files();
  expect(await readFile(join(folder, name), 'utf8')).toBe(
    [
      '1970-01-01T00:00:01.000Z ▸ scripted/m · 0 messages · 0 tools',
      '1970-01-01T00:00:01.000Z        0 ms  text  Hello.',
      '1970-01-01T00:00:01.000Z        0 ms  done  {"stop":"end"}',
      '1970-01-01T00:00:01.000Z ■ done · 0 ms',
      '',
    ].join('\n'),
  );
});

test('the folder stays small: the oldest logs go, what is none of them stays', async () => {
  const { folder, turn, files } = await keep({ maxFileBytes: 1_000, maxFolderBytes: 3_000 });
  await turn();
  await writeFile(join(folder, 'mine.jsonl'), 'x'.repeat(10_000));
  await writeFile(join(folder, 'turn-2020-01-01.jsonl'), 'x'.repeat(1_900));
  for (let count = 0; count < 12; count++) await turn();
  const names = await files();
  expect(names).toContain('mine.jsonl');
  expect(names).not.toContain('turn-2020-01-01.jsonl');
  const sizes = await Promise.all(
    names.filter((name) => name !== 'mine.jsonl').map(async (name) => (await stat(join(folder, name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000);
  expect(sizes.length).toBeGreaterThan(1);
});

test('a turn that is too long is cut, and its log says so', async () => {
  const { folder, turn, files } = await keep({ maxFileBytes: 2_000 });
  const delta = { type: 'text_delta', text: 'x'.repeat(100) } as const;
  await turn([...Array.from({ length: 50 }, () => delta), ...EVENTS]);
  const [name = ''] = await files();
  expect((await stat(join(folder, name))).size).toBeLessThan(2_100);
  const { events, problems } = await loadLog(join(folder, name));
  expect(events.length).toBeGreaterThan(3);
  expect(problems).toEqual([
    'The log became too long. Later events are not in it.',
    'The log ends before the turn ends.',
  ]);
});

test('a log that a dead process has left half-written is loaded as far as it goes', async () => {
  const { folder, turn, files } = await keep();
  await turn();
  const [name = ''] = await files();
  const path = join(folder, name);
  const [start = '', event = ''] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, `${start}\n${event}\n`);
  await appendFile(path, '{"ts":"1970-01-01T00:0');
  const { events, end, problems } = await loadLog(path);
  expect(events.map(({ event: { type } }) => type)).toEqual(['text']);
  expect(end).toBeUndefined();
  expect(problems).toEqual(['Line 3 is damaged and was skipped.', 'The log ends before the turn ends.']);
});

test('where nothing can be written the turn goes on, and it is told once', async () => {
  const folder = join(await tempDir(), 'a file');
  await writeFile(folder, '');
  const { turn, warnings } = await keep({ folder });
  await turn();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(folder);
});
