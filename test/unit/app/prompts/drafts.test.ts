import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Drafts } from '../../../../extension/app/prompts/drafts.ts';
import { draftFiles } from '../../../../extension/node/composer/draft-files.ts';
import { type Draft, emptyDraft } from '../../../../extension/protocol/draft-messages.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const image = { name: `attachments/${'a'.repeat(64)}.png`, title: 'a.png', bytes: 1 };
const typed = (text: string): Draft => ({ text, attachments: [] });

/** The drafts of a window with the sessions `a` and `b`; `again` are those of the next window. */
async function desk() {
  const folder = await tempDir();
  for (const session of ['a', 'b']) await mkdir(join(folder, session));
  const pathOf = (session: string) => join(folder, session, 'draft.json');
  const warned: string[] = [];
  const open = () => new Drafts(draftFiles(pathOf), (problem) => warned.push(problem));
  const kept = async (session: string) => {
    const text = await readFile(pathOf(session), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Draft);
  };
  return { drafts: open(), again: open, kept, pathOf, folder, warned };
}

test('each session has its draft, with its images and the prompt that is being edited, in the next window too', async () => {
  const { drafts, again } = await desk();
  const first: Draft = {
    text: 'one\n😀',
    attachments: [{ ...image, thumbnail: 'data:,' }],
    editing: { before: 3, text: 'earlier', attachments: [] },
  };
  expect(await drafts.set('a', first)).toBe(true);
  await drafts.set('', typed('for the next session'));
  await drafts.flush();
  expect(await again().get('a')).toEqual(first);
  expect(await again().get('')).toEqual(typed('for the next session'));
  expect(await again().get('b')).toEqual(emptyDraft);
});

test('of many changes at once the last one is kept, and an empty draft has no file', async () => {
  const { drafts, kept, folder } = await desk();
  const changes = Array.from({ length: 50 }, (_, index) => drafts.set('a', typed(`text ${index}`)));
  expect(await Promise.all(changes)).toEqual(changes.map(() => true));
  expect(await kept('a')).toEqual(typed('text 49'));
  await drafts.set('a', emptyDraft);
  expect(await readdir(join(folder, 'a'))).toEqual([]);
});

test('a prompt that was sent stays in the file until it has landed, before what was typed since', async () => {
  const { drafts, kept, again } = await desk();
  await drafts.set('a', typed('a prom'));
  const landed = drafts.send('a', { text: 'a prompt', attachments: [image] }, undefined);
  expect(await drafts.get('a')).toEqual(emptyDraft);
  await drafts.set('a', typed('and'));
  const lost = { text: 'a prompt\nand', attachments: [{ ...image, thumbnail: '' }] };
  expect(await kept('a')).toEqual(lost);
  expect(await again().get('a')).toEqual(lost);
  expect(await drafts.get('a')).toEqual(typed('and'));
  landed();
  landed();
  await drafts.flush();
  expect(await kept('a')).toEqual(typed('and'));
});

test('a prompt that was not sent comes before what was typed since, and the prompt being edited stays', async () => {
  const { drafts } = await desk();
  const editing = { before: 3, text: 'earlier', attachments: [] };
  await drafts.set('a', { ...typed('and'), editing });
  await drafts.giveBack('a', { text: 'not sent', attachments: [image] });
  expect(await drafts.get('a')).toEqual({
    text: 'not sent\nand',
    attachments: [{ ...image, thumbnail: '' }],
    editing,
  });
});

test('an image that comes late goes to what the input of its session holds, once', async () => {
  const { drafts } = await desk();
  const late = { ...image, thumbnail: 'data:,' };
  await drafts.set('a', typed('a'));
  const added = { text: '', attachments: [late] };
  await Promise.all([drafts.add('a', added), drafts.add('a', added)]);
  expect(await drafts.get('a')).toEqual({ text: 'a', attachments: [late] });
  await drafts.set('b', { ...typed('b'), editing: { before: 3, text: 'earlier', attachments: [] } });
  await drafts.add('b', added);
  expect(await drafts.get('b')).toEqual({
    ...typed('b'),
    editing: { before: 3, text: 'earlier', attachments: [late] },
  });
});

test('what was typed in a session whose draft the page did not know comes behind that', async () => {
  const { drafts, again } = await desk();
  await drafts.set('a', typed('first'));
  await again().add('a', typed('then'));
  expect(await again().get('a')).toEqual(typed('first\nthen'));
});

test('whoever follows hears which draft has changed, and by whom', async () => {
  const { drafts } = await desk();
  const heard: unknown[] = [];
  const stop = drafts.subscribe((session, author) => heard.push([session, author]));
  await drafts.set('a', typed('x'), 'panel');
  await drafts.giveBack('b', { text: 'y' });
  stop();
  await drafts.set('a', typed('z'), 'panel');
  expect(heard).toEqual([
    ['a', 'panel'],
    ['b', undefined],
  ]);
});

test('what was typed in a session that is deleted is not kept, and nothing is said', async () => {
  const { drafts, folder, warned } = await desk();
  await rm(join(folder, 'a'), { recursive: true });
  await drafts.set('a', typed('x'));
  expect(await readdir(folder)).toEqual(['b']);
  expect(await drafts.get('a')).toEqual(emptyDraft);
  expect(warned).toEqual([]);
});

test('a file that cannot be understood is set aside, and one that cannot be written is told once', async () => {
  const { drafts, pathOf, warned } = await desk();
  await writeFile(pathOf('a'), '{"text":1}');
  expect(await drafts.get('a')).toEqual(emptyDraft);
  expect(warned.join()).toContain(`${pathOf('a')}.damaged`);
  expect(await readFile(`${pathOf('a')}.damaged`, 'utf8')).toBe('{"text":1}');
  warned.length = 0;
  await mkdir(join(pathOf('b'), 'in-the-way'), { recursive: true });
  expect(await drafts.set('b', typed('x'))).toBe(false);
  expect(await drafts.set('b', typed('xy'))).toBe(false);
  expect(warned).toHaveLength(1);
  expect(await drafts.get('b')).toEqual(typed('xy'));
  await rm(pathOf('b'), { recursive: true });
  expect(await drafts.set('b', typed('xyz'))).toBe(true);
});
