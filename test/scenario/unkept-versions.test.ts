// What a command has changed, and whose versions cannot be kept.
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failure, watchFiles } from '../support/files.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

/** A session whose `blobs/` takes nothing until `mend` is called. */
async function withoutBlobs() {
  const desk = await undoDesk();
  const blobs = /[\\/]blobs([\\/]|$)/;
  const stop = watchFiles(dirname(desk.root), async ({ name, path }, perform) => {
    if (blobs.test(path) && /mkdir|write|link/i.test(name)) throw failure(`write ${name}`, path);
    return perform();
  });
  onTestFinished(stop);
  const changed = () => desk.session.events.findLast((event) => event.type === 'files_changed');
  return { ...desk, mend: stop, changed };
}

const hasHash = { kind: 'file', hash: expect.stringMatching(/^[0-9a-f]{64}$/), unkept: true };

test('versions that the disk does not take are told at once, and known by their hashes', async () => {
  const { at, put, run, changed, session } = await withoutBlobs();
  await put('a.txt', 'a0\n');
  await run(bash('echo a1 > a.txt; echo new > b.txt'));
  const sentence = expect.stringMatching(
    /^Could not store the contents of 2 changed files \(ENOSPC.*\): a\.txt, b\.txt\.$/,
  );
  expect(changed()).toMatchObject({
    changes: [
      { path: at('a.txt'), before: hasHash, after: hasHash },
      { path: at('b.txt'), before: { kind: 'absent' }, after: hasHash },
    ],
    uncovered: sentence,
  });
  const notices = session.events.filter(({ type }) => type === 'notice');
  expect(notices.slice(1)).toMatchObject([{ message: sentence }]);
  expect(notices[0]).toMatchObject({
    message: expect.stringMatching(/^Could not store the system prompt and tools/),
  });
});

test('a restore is refused while the disk takes nothing, and takes all of it back as soon as it does', async () => {
  const { put, read, run, restore, mend } = await withoutBlobs();
  await put('a.txt', 'a0\n');
  const before = await run(bash('echo a1 > a.txt; echo new > b.txt'));
  await expect(restore(before)).rejects.toThrow(/^Nothing was restored because .*ENOSPC/);
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['a1\n', 'new\n']);
  mend();
  expect(await restore(before)).toEqual({ 'a.txt': 'identical', 'b.txt': 'identical' });
  expect([await read('a.txt'), await read('b.txt')]).toEqual(['a0\n', undefined]);
});

test('they are written when the session is closed, too, and the next one that opens it takes all of it back', async () => {
  const { put, read, run, mend, session, store, openLog } = await withoutBlobs();
  await put('a.txt', 'a0\n');
  const to = await run(bash('echo a1 > a.txt'));
  mend();
  await session.close();
  const again = await openLog(await store.open(session.id));
  await again.restore({ to, plan: await again.planRestore(to), choices: new Map() });
  expect(await read('a.txt')).toBe('a0\n');
});
