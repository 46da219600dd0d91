import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Turn } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { AttachmentFiles } from '../../extension/node/composer/attachment-files.ts';
import { PNG } from '../support/images.ts';
import { says, scenario } from '../support/scenario.ts';

const words = ({ messages }: Turn) => JSON.stringify(messages);

test('an image and what mentions stand for go to the model with the prompt, and stay as they were sent', async () => {
  const { openLog, ports, store, root, settings } = await scenario();
  const attachments = new AttachmentFiles(join(ports.home, 'sessions'));
  const name = await attachments.keep(PNG, 'a.png');
  const promptContext = { contextOf: async (prompt: string) => `<context>${prompt.length}</context>` };
  const log = await store.create({ cwd: root, product: 'test' });
  const session = await openLog(log, { attachments, promptContext });
  const model = new ScriptedModel(says('A dot.'), says('Red.'));
  await session.prompt('What is it?', settings(model), [name]);
  await rm(join(ports.home, 'sessions', name));
  await session.prompt('Which colour?', settings(model));
  const [first, second] = model.turns;
  expect(first?.messages[0]?.content).toEqual([
    { type: 'image', name, mediaType: 'image/png', data: PNG.toString('base64') },
    { type: 'text', text: 'What is it?\n\n<context>11</context>' },
  ]);
  expect(second && words(second).startsWith(words(first as Turn).slice(0, -1))).toBe(true);
  const [user] = session.events.filter((event) => event.type === 'user');
  expect(user).toMatchObject({
    content: 'What is it?',
    context: '<context>11</context>',
    attachments: [name],
  });
  await session.close();
});
