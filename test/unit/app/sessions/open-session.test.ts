import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFeed } from '../../../../extension/app/feed/session-feed.ts';
import { PromptQueue } from '../../../../extension/app/prompts/prompt-queue.ts';
import { PromptSender } from '../../../../extension/app/prompts/prompt-sender.ts';
import { OpenSession } from '../../../../extension/app/sessions/open-session.ts';
import type { FileTree } from '../../../../extension/core/ports/file-tree.ts';
import { inEnglish } from '../../../../extension/core/ports/localization.ts';
import { ScriptedModel } from '../../../../extension/core/ports/testing/scripted-model.ts';
import { queueFiles } from '../../../../extension/node/composer/draft-files.ts';
import { makeGate } from '../../../support/gate.ts';
import { calls, says, scenario } from '../../../support/scenario.ts';
import { until } from '../../../support/until.ts';

const fail = (problem: string) => expect.fail(problem);
const speaker = { landed: () => {}, insert: () => {}, edit: () => {} };

/** A session that has written a file, and a restore of it that goes on until `rest` is opened. */
async function restoring(fork?: string) {
  const { ports, root, store, openLog, settings } = await scenario({ mode: 'bypass' });
  const rest = makeGate();
  const original = ports.files ?? expect.fail('no port for files');
  const write: FileTree['write'] = async (...given) => {
    await rest.opened;
    await original.write(...given);
  };
  const files = { ...original, write };
  const session = await openLog(await store.create({ cwd: root, product: 'test' }), { files });
  await writeFile(join(root, 'a.txt'), 'old\n');
  const [read, change] = [
    ['read', { path: 'a.txt' }] as const,
    ['write', { path: 'a.txt', content: 'new\n' }] as const,
  ];
  const model = new ScriptedModel(calls(1, read, change), says('Written.'), says('So it is.'));
  const queue = new PromptQueue(queueFiles(join(ports.home, 'sessions')), fail);
  onTestFinished(() => queue.flush());
  const open = new OpenSession(session, {
    feed: new SessionFeed(inEnglish),
    ports,
    settings: settings(model),
    prompts: (of) =>
      new PromptSender({ session: of, queue, remember: async () => {}, changed: () => {}, warn: fail }),
  });
  await open.prompt('Write it', []);
  const to = open.log.events.find(({ type }) => type === 'user')?.seq ?? 0;
  const plan = await open.core.planRestore(to);
  const restored = open.restore({ to, plan, choices: new Map(), fork });
  await open.prompts.submit({ text: 'Is it back?' }, speaker);
  rest.open();
  await restored;
  return { open, queue, asked: () => open.log.events.filter(({ type }) => type === 'user').length };
}

test('what is said while files are restored waits, and is sent then', async () => {
  const { open, queue, asked } = await restoring();
  await until(() => asked() === 2 && open.isResting);
  expect(queue.items).toEqual([]);
});

test('where the conversation goes on in another session, it waits until the user decides', async () => {
  const { open, queue, asked } = await restoring('elsewhere');
  await until(() => open.isResting);
  expect(queue.items).toMatchObject([{ text: 'Is it back?', state: 'held' }]);
  expect(asked()).toBe(1);
});

test('an end of a run that cannot be told is written down, and the session rests all the same', async () => {
  const { ports, session, settings } = await scenario();
  const errors: string[] = [];
  const queue = new PromptQueue(queueFiles(join(ports.home, 'sessions')), fail);
  const open = new OpenSession(session, {
    feed: new SessionFeed(inEnglish),
    ports: { logger: { error: (text) => errors.push(text), warn: fail } },
    settings: settings(new ScriptedModel(says('Done.'))),
    prompts: (of) => {
      const prompts = new PromptSender({
        session: of,
        queue,
        remember: async () => {},
        changed: () => {},
        warn: fail,
      });
      prompts.runEnded = () => Promise.reject(new Error('no disk'));
      return prompts;
    },
  });
  await open.prompt('Do it', []);
  await expect.poll(() => open.isResting).toBe(true);
  expect(errors).toEqual(['Error: no disk']);
});
