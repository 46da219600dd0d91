import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { recordingsIn } from '../../../extension/node/recording/recording-file.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';

vi.mock('vscode', async (original) => {
  const never = () => ({ dispose() {} });
  return {
    ...(await original<object>()),
    Disposable: { from: never },
    workspace: {
      workspaceFolders: [],
      createFileSystemWatcher: () => ({
        onDidChange: never,
        onDidCreate: never,
        onDidDelete: never,
        dispose() {},
      }),
      onDidChangeTextDocument: never,
      onDidChangeWorkspaceFolders: never,
    },
  };
});

import { SessionFeed } from '../../../extension/app/feed/session-feed.ts';
import { SessionRecordings } from '../../../extension/app/recordings/session-recordings.ts';
import { SessionController } from '../../../extension/app/sessions/session-controller.ts';
import { SessionRegistry } from '../../../extension/app/sessions/session-registry.ts';
import { inEnglish } from '../../../extension/core/ports/localization.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { ReviewModel } from '../../../extension/vscode/review/review-model.ts';
import { portsOf } from '../../support/review-desk.ts';
import { calls, says, scenario } from '../../support/scenario.ts';

const NAMES = Array.from({ length: 12 }, (_, index) => `f${10 + index}.txt`);

/** The same files, changed by a first session and then by a second one; the first is reviewed. */
async function twoSessions() {
  const at = await scenario({ mode: 'bypass' });
  for (const name of NAMES) await writeFile(join(at.root, name), 'one\ntwo\nthree\n');
  const change = (content: string) =>
    new ScriptedModel(
      ...NAMES.flatMap((path, index) => [
        calls(2 * index + 1, ['read', { path }]),
        calls(2 * index + 2, ['write', { path, content }]),
      ]),
      says('Done.'),
    );
  const settings = (content: string) => at.settings(change(content), { maxTurns: 100 });
  await at.session.prompt('Change it', settings('one\n2\nthree\n'));
  const other = await at.openLog(await at.store.create({ cwd: at.root, product: 'test' }));
  await other.prompt('Change it', settings('one\n2\nTHREE\n'));
  await at.session.close();
  await other.close();
  const { files, workspace, scan } = portsOf(at);
  if (!scan) throw new Error('A scenario has a scan.');
  const open = new SessionRegistry({
    store: at.store,
    recordings: new SessionRecordings({
      openFile: recordingsIn(at.root, 'test'),
      clock: systemClock,
      isWanted: () => false,
    }),
    product: 'test',
    feed: new SessionFeed(inEnglish),
    settings: () => Promise.reject(new Error('not part of this test')),
    // Nothing is prompted.
    prompts: () => ({ flush: async () => {} }) as never,
    ports: at.ports,
  });
  const sessions = new SessionController({
    open,
    store: at.store,
    current: { load: async () => '', save: async () => {} },
    logger: at.ports.logger,
    notices: at.ports.logger,
  });
  const model = new ReviewModel({
    blobs: (id) => at.store.blobs(id),
    open,
    files,
    workspace,
    scan,
    warn: () => {},
  });
  await sessions.show(at.session.id);
  model.follow(sessions);
  await model.settle();
  const choices = NAMES.map((name) => ({ path: join(at.root, name) }));
  expect(model.pending.map(({ path }) => path)).toEqual(choices.map(({ path }) => path));
  const texts = () => Promise.all(choices.map(({ path }) => readFile(path, 'utf8')));
  const { length } = await at.store.read(other.id);
  const decisions = async () => (await at.store.read(other.id)).slice(length);
  return { model, sessions, open, choices, texts, decisions, shown: other.id };
}

test('what is rejected all at once is that of the session in which it was asked, whatever is shown meanwhile', async () => {
  const { model, sessions, open, choices, texts, decisions, shown } = await twoSessions();
  const rejecting = model.reject(choices).catch(String);
  await sessions.show(shown);
  await rejecting;
  for (const text of await texts()) expect(['one\ntwo\nTHREE\n', 'one\n2\nTHREE\n']).toContain(text);
  expect(await decisions()).toEqual([]);
  await open.dispose();
});

test.each(['reject', 'accept'] as const)(
  'what waits behind others: %s is of that session, or refused',
  async (how) => {
    const { model, sessions, open, choices, texts, decisions, shown } = await twoSessions();
    const deciding = choices.map((choice) => model[how]([choice]).catch(String));
    await sessions.show(shown);
    await Promise.all(deciding);
    for (const text of await texts()) expect(['one\ntwo\nTHREE\n', 'one\n2\nTHREE\n']).toContain(text);
    expect(await decisions()).toEqual([]);
    await open.dispose();
  },
);
