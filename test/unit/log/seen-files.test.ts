import { expect, test } from 'vitest';
import { SeenFilesFold } from '../../../extension/core/log/seen-files.ts';
import { LineView } from '../../../extension/core/rendering/line-view.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';

const resultWith = (seen: Record<string, string>): SessionEvent => ({
  ...{ type: 'tool_result', id: 'call_1', result: '{}', isError: false, seen },
  lines: { '/a': [1, 1, 3] },
  ...{ timestamp: 0, session: 's', seq: 1, prev: '' },
});

test('a version from the log does not say that the whole file was shown', () => {
  const seen = new SeenFilesFold();
  seen.apply(resultWith({ '/a': 'v1' }));
  expect(seen.get('/a')).toEqual({ version: 'v1', inPart: true, view: LineView.fromNumbers([1, 1, 3]) });
});

test('the event of a call says no less than what is remembered of it already', () => {
  const seen = new SeenFilesFold();
  seen.remember('/a', { version: 'v1', text: 'one', view: LineView.whole(1) });
  seen.apply(resultWith({ '/a': 'v1' }));
  expect(seen.get('/a')).toEqual({ version: 'v1', text: 'one', view: LineView.whole(1) });
});

test('the texts of the oldest files make room, their versions stay', () => {
  const seen = new SeenFilesFold();
  const text = 'x'.repeat(9_000_000);
  for (const path of ['/a', '/b', '/c'])
    seen.remember(path, { version: `of ${path}`, text, view: LineView.empty });
  expect(seen.get('/a')).toEqual({ version: 'of /a', text: undefined, view: LineView.empty });
  expect(seen.get('/b')?.text).toBe(text);
  expect(seen.get('/c')?.text).toBe(text);
});
