import { expect, test } from 'vitest';
import { blobsOf, isSessionId, newSessionId } from '../../../../extension/node/log/session-files.ts';

test('what Harness calls a session is a name of one', () => {
  for (const now of [0, 1_700_000_000_000, 4_000_000_000_000])
    expect(isSessionId(newSessionId(now))).toBe(true);
});

test.each([
  'deleted',
  'attachments',
  '__proto__',
  'constructor',
  'CON',
  '-rf',
  '',
  '.',
  '..',
  '../1',
  '1/..',
  '1.',
  '1\n',
  '1'.repeat(65),
])('“%s” is none, and leads nowhere', (id) => {
  expect(isSessionId(id)).toBe(false);
  expect(() => blobsOf('/root', id)).toThrow('does not exist');
});
