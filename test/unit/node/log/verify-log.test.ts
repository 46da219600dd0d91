import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hashLine } from '../../../../extension/core/log/hash-chain.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function logOfPrompts(...prompts: string[]) {
  const root = await tempDir();
  const log = await new JsonlSessionStore(root, new ManualClock()).create({ cwd: '/repo', product: 'test' });
  await log.append(prompts.map((content) => ({ type: 'user', content })));
  await log.close();
  const path = join(root, log.id, 'events.jsonl');
  const change = async (edit: (lines: string[]) => readonly string[]) => {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await writeFile(path, `${edit(lines).join('\n')}\n`);
  };
  return { path, change };
}

test('a sound log has no problems, and its head is the hash of its last line', async () => {
  const { path } = await logOfPrompts('one', 'two');
  const report = await verifyLog(path);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const { size } = await stat(path);
  expect(report).toEqual({
    events: 3,
    last: 3,
    bytes: size,
    head: hashLine(lines[2] ?? ''),
    session: basename(dirname(path)),
    cwd: '/repo',
    problems: [],
    inherited: [],
  });
});

test('a record that was changed shows at the one behind it', async () => {
  const { path, change } = await logOfPrompts('one', 'two', 'three');
  await change((lines) => lines.map((line) => line.replace('"two"', '"TWO"')));
  const { problems } = await verifyLog(path);
  expect(problems).toEqual([
    { line: 4, at: expect.any(Number), message: expect.stringMatching(/does not follow/) },
  ]);
});

test('a record that was taken out shows by hash and by number', async () => {
  const { path, change } = await logOfPrompts('one', 'two', 'three');
  await change((lines) => lines.toSpliced(2, 1));
  const { events, problems } = await verifyLog(path);
  expect(events).toBe(3);
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [3, expect.stringMatching(/does not follow/)],
    [3, 'This record has number 4 instead of 3.'],
  ]);
});

test('a log without its beginning, a record of another session, and a record that cannot be read are told', async () => {
  const { path, change } = await logOfPrompts('one', 'two', 'three');
  await change(([, one = '', two = '', three = '']) => [
    one,
    two.replace(/"session":"[^"]*"/, '"session":"x"'),
    three.slice(5),
  ]);
  const messages = (await verifyLog(path)).problems.map(({ message }) => message);
  expect(messages).toContain('The first record does not start a session.');
  expect(messages).toContain('This record belongs to another session, “x”.');
  expect(messages).toContain('This record cannot be read.');
});

test('a last record that does not end is told, and the intact ones are counted', async () => {
  const { path } = await logOfPrompts('one');
  await appendFile(path, '{"type":"user","con');
  const { events, problems } = await verifyLog(path);
  expect(events).toBe(2);
  expect(problems.map(({ message }) => message)).toEqual([
    'This record cannot be read.',
    'The last record is incomplete: the process that wrote it ended.',
  ]);
});

test('records of a type that this version does not know are part of the chain', async () => {
  const { path, change } = await logOfPrompts('one');
  const unknown = (prev: string) => JSON.stringify({ type: 'later', session: 'x', seq: 3, prev });
  await change((lines) => {
    const session = (JSON.parse(lines[0] ?? '') as { session: string }).session;
    return [...lines, unknown(hashLine(lines[1] ?? '')).replace('"x"', JSON.stringify(session))];
  });
  expect(await verifyLog(path)).toMatchObject({ events: 3, problems: [] });
});

test('of very many problems the first hundred are told', async () => {
  const { path, change } = await logOfPrompts();
  await change((lines) => [...lines, ...Array.from({ length: 500 }, () => 'nothing')]);
  expect((await verifyLog(path)).problems).toHaveLength(100);
});

test('a time that no calendar has is told: nothing could show it', async () => {
  const { path, change } = await logOfPrompts('one');
  const at = (time: number) => change((lines) => [lines[0] ?? '', timed(lines[1], time)]);
  await at(8_640_000_000_000_000);
  expect((await verifyLog(path)).problems).toEqual([]);
  await at(8_640_000_000_000_001);
  expect((await verifyLog(path)).problems).toMatchObject([{ line: 2 }]);
});

function timed(line = '', time = 0): string {
  return line.replace(/"timestamp":\d+/, `"timestamp":${time}`);
}
