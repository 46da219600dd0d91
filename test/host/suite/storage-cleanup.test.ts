// What is removed to keep the limits is said.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { DeletedSessions } from '../../../extension/node/storage/deleted-sessions.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { StorageCleanup } from '../../../extension/vscode/sessions/storage-cleanup.ts';
import { withClaude } from './claude.ts';
import { makeFolder, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';
import { toldMeanwhile } from './told-meanwhile.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const run = <Result>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<Result>(`harness.${command}`, ...args);

/** A session below `root` that was last used three days ago. */
async function oldSession(root: string, title: string): Promise<string> {
  const clock = { ...systemClock, now: () => Date.now() - 3 * DAY_MS };
  const log = await new JsonlSessionStore(root, clock).create({ cwd: '/', product: 'test' });
  await log.append([{ type: 'user', content: title }]);
  await log.close();
  return log.id;
}

/** What keeps the limits in a folder of its own, and what it writes down. */
async function limited() {
  const root = await makeFolder();
  let time = 0;
  const clock = { ...systemClock, monotonic: () => time };
  const written: string[] = [];
  const write = (line: string) => void written.push(line);
  // As much of the channel as is written to.
  const output = { info: write, warn: write } as unknown as vscode.LogOutputChannel;
  const deleted = new DeletedSessions(root, systemClock);
  return {
    root,
    written,
    cleanup: new StorageCleanup({ root, clock, deleted, isOpen: () => false }, output),
    after(milliseconds: number) {
      time += milliseconds;
    },
    list: async () => (await new JsonlSessionStore(root, systemClock).list()).map(({ id }) => id),
  };
}

/** Sessions are deleted that were not used for so many days. */
const keeping = (days: number, body: () => Promise<void>) =>
  withUserSetting('harness.retention.days', days, body);

test('storage: what is deleted is told, to the user and in the output; nothing is told where nothing is done', async () => {
  const { root, cleanup, written, after, list } = await limited();
  const ids = [await oldSession(root, 'Old 1'), await oldSession(root, 'Old 2')];
  await toldMeanwhile((told) =>
    keeping(1, async () => {
      await cleanup.cleanUpIfDue();
      assert.deepEqual(await list(), []);
      assert.equal(told.length, 1);
      assert.match(told[0] ?? '', /^Harness freed .*2 old sessions were deleted/);
      for (const id of ids) assert.ok(written.some((line) => line.startsWith(`session of ${id} “Old`)));
      after(HOUR_MS);
      await cleanup.cleanUpIfDue();
      assert.equal(told.length, 1);
    }),
  );
});

test('storage: all is measured once an hour, and at once where the limits are others', async () => {
  const { root, cleanup, after, list } = await limited();
  await toldMeanwhile(async () => {
    await keeping(1, async () => {
      await cleanup.cleanUpIfDue();
      const next = await oldSession(root, 'Next');
      await cleanup.cleanUpIfDue();
      assert.deepEqual(await list(), [next]);
      after(HOUR_MS);
      await cleanup.cleanUpIfDue();
      assert.deepEqual(await list(), []);
      await oldSession(root, 'Last');
    });
    await keeping(2, () => cleanup.cleanUpIfDue());
    assert.deepEqual(await list(), []);
  });
});

test('storage: what could not be removed is told too, once', async () => {
  const { root, cleanup, after, list } = await limited();
  const id = await oldSession(root, 'Old');
  await writeFile(join(root, 'deleted'), 'a file where the folder of deleted sessions should be');
  await toldMeanwhile((told) =>
    keeping(1, async () => {
      await cleanup.cleanUpIfDue();
      after(HOUR_MS);
      await cleanup.cleanUpIfDue();
      assert.deepEqual(await list(), [id]);
      assert.deepEqual(told, [
        'Could not remove some old sessions. See the Harness output channel for details.',
      ]);
    }),
  );
});

test('storage: when a session is closed, old ones go', async () => {
  const root = join(process.env.HARNESS_HOME ?? '', 'sessions');
  await withClaude([{ blocks: [{ type: 'text', text: 'Done.' }] }], async () => {
    await run('newSession');
    await run('ask', 'Go on');
  });
  const old = await oldSession(root, 'Old');
  await keeping(1, async () => {
    await run('newSession');
    await eventually('it is gone', async () => !(await readdir(root)).includes(old));
  });
  assert.ok((await readdir(join(root, 'deleted'))).includes(old));
});
