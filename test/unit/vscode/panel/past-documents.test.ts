import { expect, test } from 'vitest';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { PastFiles } from '../../../../extension/vscode/panel/past-documents.ts';
import { storedEvents } from '../../../support/panel-events.ts';

const changed = (hash: string): EventDraft => ({
  type: 'files_changed',
  id: hash,
  by: 'tool',
  changes: [
    { path: '/a.txt', before: { kind: 'absent' }, after: { kind: 'file', hash, size: 1, mode: 0o644 } },
  ],
});

test('the log of a session that is not open is read once for all its files, and again where it has grown', async () => {
  const events = storedEvents([{ type: 'user', content: 'Write' }, changed('one')]);
  let reads = 0;
  const files = new PastFiles(
    { find: () => undefined },
    {
      blobs: () => expect.unreachable(),
      async read() {
        reads += 1;
        return [...events];
      },
    },
  );
  const at = (seq: number) => files.stateOf({ path: '/a.txt', session: 's', seq });
  await Promise.all([at(1), at(2)]);
  expect(await at(2)).toMatchObject({ hash: 'one' });
  expect(reads).toBe(1);
  events.push(...storedEvents([changed('two')], 3));
  expect(await at(3)).toMatchObject({ hash: 'two' });
  await at(1);
  expect(reads).toBe(2);
  await expect(at(4)).rejects.toThrow('has no event 4');
});
