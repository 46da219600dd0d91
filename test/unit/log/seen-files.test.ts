import { expect, test } from 'vitest';
import { SeenFilesFold } from '../../../extension/core/log/seen-files.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';

const resultWith = (seen: Record<string, string>): SessionEvent => ({
  ...{ type: 'tool_result', id: 'call_1', result: '{}', isError: false, seen },
  ...{ timestamp: 0, session: 's', seq: 1, prev: '' },
});

test('a version from the log does not say that the whole file was shown', () => {
  const seen = new SeenFilesFold();
  seen.apply(resultWith({ '/a': 'v1' }));
  expect(seen.get('/a')).toEqual({ version: 'v1', inPart: true });
});

test('the event of a call says no less than what is remembered of it already', () => {
  const seen = new SeenFilesFold();
  seen.set('/a', { version: 'v1', text: 'one' });
  seen.apply(resultWith({ '/a': 'v1' }));
  expect(seen.get('/a')).toEqual({ version: 'v1', text: 'one' });
});

test('the texts of the oldest files make room, their versions stay', () => {
  const seen = new SeenFilesFold();
  const text = 'x'.repeat(9_000_000);
  for (const path of ['/a', '/b', '/c']) seen.set(path, { version: `of ${path}`, text });
  expect(seen.get('/a')).toEqual({ version: 'of /a', text: undefined });
  expect(seen.get('/b')?.text).toBe(text);
  expect(seen.get('/c')?.text).toBe(text);
});
