import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { searchSessions } from '../../../../extension/node/sessions/search-sessions.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { writeLargeLog } from '../../../support/large-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const never = new AbortController().signal;

async function storeOf(sessions: readonly (readonly EventDraft[])[]) {
  const root = await tempDir();
  const clock = new ManualClock(1_700_000_000_000);
  const store = new JsonlSessionStore(root, clock);
  const ids: string[] = [];
  for (const drafts of sessions) {
    const log = await store.create({ cwd: '/repo', product: 'test' });
    await log.append(drafts);
    await log.close();
    clock.advance(1_000);
    ids.push(log.id);
  }
  return { root, ids };
}

async function linesFor(query: string, ...drafts: readonly EventDraft[]): Promise<readonly string[]> {
  const { root } = await storeOf([drafts]);
  const lines: string[] = [];
  for await (const { line } of searchSessions(root, query, never)) lines.push(line);
  return lines;
}

const user = (content: string): EventDraft => ({ type: 'user', content });
const result = (output: string): EventDraft => ({
  type: 'tool_result',
  id: 'call',
  result: JSON.stringify({ output }),
  isError: false,
});

test.each<[what: string, query: string, draft: EventDraft, line: string]>([
  ['a prompt, in any case', 'DATE test', user('First\nfix the Date Test now\nlast'), 'fix the Date Test now'],
  ['an answer', 'grün', { type: 'text', content: 'Es ist Grün.' }, 'Es ist Grün.'],
  ['a thought', 'perhaps', { type: 'reasoning', content: 'perhaps so' }, 'perhaps so'],
  ['a name', 'dates', { type: 'title', title: 'Dates' }, 'Dates'],
  [
    'a call',
    'rm -rf',
    { type: 'tool_call', id: 'c', name: 'bash', input: { command: 'rm -rf b' } },
    'rm -rf b',
  ],
  ['a result, over its escapes', 'say "no"', result('one\nthey say "no"\n'), 'they say "no"'],
  ['signs alone', '=>', { type: 'text', content: 'a => b' }, 'a => b'],
])('finds %s', async (_what, query, draft, line) => {
  expect(await linesFor(query, user('other'), draft, draft)).toEqual([line]);
});

test('what a log says beside the conversation is not found', async () => {
  expect(await linesFor('thinking', { type: 'status', state: 'thinking', message: '' })).toEqual([]);
  expect(await linesFor('content', user('other'))).toEqual([]);
});

test('of a long line the place of the match is shown', async () => {
  const [line = ''] = await linesFor('needle', user(`${'hay '.repeat(500)}needle${' hay'.repeat(500)}`));
  expect(line).toMatch(/^….* needle hay/);
  expect(line.length).toBeLessThan(130);
});

test('the newest session comes first, each once, and whoever stops asking gets no more', async () => {
  const { root, ids } = await storeOf([[user('a word')], [user('nothing')], [user('a word, a word')]]);
  await mkdir(join(root, 'deleted'));
  const stop = new AbortController();
  const found: string[] = [];
  for await (const { id } of searchSessions(root, 'word', stop.signal)) found.push(id);
  expect(found).toEqual([ids[2], ids[0]]);
  for await (const { id } of searchSessions(root, 'word', stop.signal)) {
    found.push(id);
    stop.abort();
  }
  expect(found).toEqual([ids[2], ids[0], ids[2]]);
});

test('a log with a line that is too long is searched up to that line', async () => {
  const root = await tempDir();
  await writeLargeLog(root, { id: '20260101000000-long', messages: 4, length: 100, longest: 20_000_000 });
  const found: string[] = [];
  for (const word of ['message 1', 'message 4'])
    for await (const { line } of searchSessions(root, word, new AbortController().signal)) found.push(line);
  expect(found).toEqual([expect.stringMatching(/^message 1 All work/)]);
});
