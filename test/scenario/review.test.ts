// What a person decides of the agent's changes, on real files and a real log.
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { acceptChanges, rejectChanges } from '../../extension/core/review/decide.ts';
import type { FileReview } from '../../extension/core/review/file-review.ts';
import { choice, edited, portsOf, reviewOf } from '../support/review-desk.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';
import { treeOf } from '../support/tree-of.ts';

function idsOf({ cells = [] }: FileReview, ...lines: string[]): Set<string> {
  const chosen = cells.filter(({ sign, line }) => lines.includes(sign + line.text));
  return new Set(chosen.map(({ line }) => line.id));
}

const shown = ({ hunks }: FileReview) =>
  hunks.flatMap(({ cells }) => cells.map(({ sign, line }) => sign + line.text));

async function runCommand(at: Scenario, command: string): Promise<void> {
  const model = new ScriptedModel(calls(1, ['bash', { command }]), says('Done.'));
  await at.session.prompt('Go on', at.settings(model));
}

const blobsOf = ({ root, session }: Scenario) => join(root, '../home/sessions', session.id, 'blobs');

test('a line is rejected: the file, the log and the model know it', async () => {
  const { at, path } = await edited('a\nb\n', 'a\nB\nc\n');
  const review = await reviewOf(at);
  expect(shown(review)).toEqual(['-b', '+B', '+c']);
  await rejectChanges(portsOf(at), [{ review, ids: idsOf(review, '+c') }]);
  expect(await readFile(path, 'utf8')).toBe('a\nB\n');
  expect(shown(await reviewOf(at))).toEqual(['-b', '+B']);
  expect(at.session.events.slice(-3).map(({ type }) => type)).toEqual([
    'checkpoint',
    'files_changed',
    'notice',
  ]);
  const model = new ScriptedModel(says('I see.'));
  await at.session.prompt('And now?', at.settings(model));
  expect(JSON.stringify(model.turns[0]?.messages)).toContain(
    'file.txt:\\nline 3, added by you, is removed: c',
  );
  expectWellFormed(at.session.events);
});

test('what is rejected while a call runs is told behind its result, in the same run', async () => {
  const { at, path } = await edited('a\n', 'a\nb\n');
  const command = 'until [ -e go ]; do sleep 0.05; done';
  const model = new ScriptedModel(calls(1, ['bash', { command }]), says('Done.'));
  at.session.subscribe({
    onEvents: (events) => {
      if (events.every(({ type }) => type !== 'tool_started')) return;
      void reviewOf(at)
        .then((review) => rejectChanges(portsOf(at), [{ review }]))
        .then(() => writeFile(join(at.root, 'go'), ''));
    },
  });
  await at.session.prompt('Go on', at.settings(model));
  expectWellFormed(at.session.events);
  const told = model.turns[1]?.messages.at(-1)?.content.map((block) => block.type);
  expect(told).toEqual(['tool_result', 'text']);
  expect(await readFile(path, 'utf8')).toBe('a\n');
  expect((await reviewOf(at)).isPending).toBe(false);
});

test('a file that is too large to be kept is accepted, and pending again after the next change of it', async () => {
  const at = await scenario({ mode: 'bypass' });
  await runCommand(at, 'truncate -s 51000000 large.bin');
  expect((await choice(at, 'large.bin')).review.isPending).toBe(true);
  await acceptChanges(portsOf(at), await choice(at, 'large.bin'));
  expect((await choice(at, 'large.bin')).review.isPending).toBe(false);
  await at.session.prompt(
    'Go on',
    at.settings(
      new ScriptedModel(calls(2, ['bash', { command: 'truncate -s 52000000 large.bin' }]), says('Done.')),
    ),
  );
  expect((await choice(at, 'large.bin')).review.isPending).toBe(true);
});

test('after an undo nothing is pending, and after a redo all of it again', async () => {
  const { at, path } = await edited('a\nb\n', 'a\nB\nc\n');
  const restoreTo = async (to: number) =>
    at.session.restore({ to, plan: await at.session.planRestore(to), choices: new Map() });
  const end = at.session.events.at(-1)?.seq ?? 0;
  await restoreTo(1);
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
  expect((await reviewOf(at)).isPending).toBe(false);
  await restoreTo(end);
  const review = await reviewOf(at);
  expect(shown(review)).toEqual(['-b', '+B', '+c']);
  await rejectChanges(portsOf(at), [{ review }]);
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
});

test('a text that is not UTF-8 stays what it is, byte for byte', async () => {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file.txt');
  await writeFile(path, Buffer.from('caf\xe9\nb\n', 'latin1'));
  await runCommand(at, "printf 'th\\351\\n' >> file.txt; sed -i '2d' file.txt");
  const review = await reviewOf(at);
  expect(shown(review)).toEqual(['-b', '+thé']);
  await rejectChanges(portsOf(at), [{ review, ids: idsOf(review, '-b') }]);
  expect(await readFile(path, 'latin1')).toBe('café\nb\nthé\n');
  await rejectChanges(portsOf(at), [{ review: await reviewOf(at) }]);
  expect(await readFile(path, 'latin1')).toBe('café\nb\n');
});

test('what was not kept, or is the work of two, can be accepted and not rejected', async () => {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file.txt');
  await writeFile(path, Buffer.from([0, 1]));
  await runCommand(at, "printf 'x' >> file.txt");
  await writeFile(path, Buffer.from([0, 1, 2, 3]));
  const review = await reviewOf(at);
  expect(review).toMatchObject({ isPending: true, isMixed: true });
  await expect(rejectChanges(portsOf(at), [{ review }])).rejects.toThrow(', and Harness cannot separate');
  await rm(blobsOf(at), { recursive: true });
  await acceptChanges(portsOf(at), { review });
  expect((await reviewOf(at)).isPending).toBe(false);
  await runCommand(at, "printf 'y' >> file.txt");
  await rm(blobsOf(at), { recursive: true });
  await expect(rejectChanges(portsOf(at), [{ review: await reviewOf(at) }])).rejects.toThrow(
    'were not stored',
  );
});

test('what is accepted is pending no more, after it is read again too', async () => {
  const { at, path } = await edited('a\nb\n', 'a\nB\nc\n');
  const review = await reviewOf(at);
  await acceptChanges(portsOf(at), { review, ids: idsOf(review, '+c') });
  expect(shown(await reviewOf(at))).toEqual(['-b', '+B']);
  await rejectChanges(portsOf(at), [{ review: await reviewOf(at) }]);
  expect(await readFile(path, 'utf8')).toBe('a\nb\nc\n');
  await writeFile(path, 'a\nB\nc\n');
  await acceptChanges(portsOf(at), { review: await reviewOf(at) });
  expect((await reviewOf(at)).isPending).toBe(false);
});

test('a new file that is rejected goes with the directories that were made for it', async () => {
  const at = await scenario({ mode: 'bypass' });
  const write = (path: string) => ['write', { path, content: 'a\n' }] as const;
  const model = new ScriptedModel(
    calls(1, write('made/for/it/file.txt'), write('made/other.txt')),
    says('Done.'),
  );
  await at.session.prompt('Write them', at.settings(model));
  const review = await reviewOf(at, 'made/for/it/file.txt');
  expect((await reviewOf(at, 'made/for')).isPending).toBe(false);
  const made = ['made/for/it', 'made/for', 'made'].map((name) => join(at.root, name));
  await rejectChanges(portsOf(at), [{ review, made }]);
  expect(await readdir(join(at.root, 'made'))).toEqual(['other.txt']);
});

test('a decision on what has changed since is refused, and nothing is overwritten', async () => {
  const { at, path } = await edited('a\n', 'a\nb\n');
  const review = await reviewOf(at);
  await writeFile(path, 'mine\n');
  await expect(rejectChanges(portsOf(at), [{ review }])).rejects.toThrow('has changed in the meantime');
  await expect(acceptChanges(portsOf(at), { review })).rejects.toThrow('has changed in the meantime');
  expect(await readFile(path, 'utf8')).toBe('mine\n');
});

test('what a command did to files, links and modes is reviewed as edits are', async () => {
  const at = await scenario({ mode: 'bypass' });
  const inRoot = (name: string) => join(at.root, name);
  await writeFile(inRoot('text'), 'a\r\nb\r\n');
  await writeFile(inRoot('binary'), Buffer.from([0, 1, 2]));
  await writeFile(inRoot('gone'), 'gone\n');
  await writeFile(inRoot('tool'), '#!/bin/sh\n');
  await symlink('text', inRoot('link'));
  await chmod(inRoot('tool'), 0o644);
  await runCommand(
    at,
    "printf 'c\\r\\n' >> text; printf 'x' >> binary; rm gone; chmod 755 tool; ln -sfn tool link; echo new > made",
  );
  const names = ['text', 'binary', 'gone', 'tool', 'link', 'made'];
  const reviews = await Promise.all(names.map((name) => reviewOf(at, name)));
  expect(reviews.map(({ isPending, cells }) => [isPending, cells !== undefined])).toEqual([
    [true, true],
    [true, false],
    [true, true],
    [true, true],
    [true, false],
    [true, true],
  ]);
  await rejectChanges(
    portsOf(at),
    reviews.map((review) => ({ review })),
  );
  expect(await readFile(inRoot('text'), 'utf8')).toBe('a\r\nb\r\n');
  expect(await readFile(inRoot('binary'))).toEqual(Buffer.from([0, 1, 2]));
  expect(await readFile(inRoot('gone'), 'utf8')).toBe('gone\n');
  expect((await stat(inRoot('tool'))).mode & 0o777).toBe(0o644);
  expect((await lstat(inRoot('link'))).isSymbolicLink()).toBe(true);
  expect(await readFile(inRoot('link'), 'utf8')).toBe('a\r\nb\r\n');
  await expect(stat(inRoot('made'))).rejects.toThrow('ENOENT');
  for (const name of names) expect((await reviewOf(at, name)).isPending).toBe(false);
});

/** Each as it is then. */
async function rejectEach(at: Scenario, ...names: string[]): Promise<void> {
  await rejectChanges(portsOf(at), await Promise.all(names.map((name) => choice(at, name))));
}

const notices = ({ session }: Scenario) =>
  session.events.flatMap((event) => (event.type === 'notice' ? [event.toModel ?? ''] : []));

test.each([
  ['a link', 'rm -rf D; ln -s ../outside D'],
  ['a file', 'rm -rf D; echo x > D'],
])('a directory in whose place there is %s comes back, and then what was in it', async (_, command) => {
  const at = await scenario({ mode: 'bypass' });
  const outside = join(at.root, '../outside');
  await mkdir(outside, { mode: 0o700 });
  await mkdir(join(at.root, 'D'));
  await writeFile(join(at.root, 'D/f'), 'precious\n');
  await chmod(join(at.root, 'D'), 0o750);
  const before = await treeOf(at.root);
  await runCommand(at, command);
  await expect(rejectEach(at, 'D/f')).rejects.toThrow('is no longer a folder');
  expect(notices(at)).toEqual([]);
  await rejectEach(at, 'D/f', 'D');
  expect(await treeOf(at.root)).toEqual(before);
  expect((await stat(outside)).mode & 0o777).toBe(0o700);
  expect(await readdir(outside)).toEqual([]);
  expect(notices(at).join()).toContain(`${join(at.root, 'D')}: it is a directory again.`);
  for (const name of ['D', 'D/f']) expect((await reviewOf(at, name)).isPending).toBe(false);
});

test('a file in whose place there is a directory comes back when what is in that is gone', async () => {
  const at = await scenario({ mode: 'bypass' });
  await writeFile(join(at.root, 'D'), 'file\n');
  const before = await treeOf(at.root);
  await runCommand(at, 'rm D; mkdir D; echo x > D/y');
  await expect(rejectEach(at, 'D')).rejects.toThrow('it contains something that stays');
  expect(notices(at)).toEqual([]);
  await rejectEach(at, 'D', 'D/y');
  expect(await treeOf(at.root)).toEqual(before);
});

test('what did not become what it was is not told as rejected', async () => {
  const { at, path } = await edited('a\n', 'a\nb\n');
  const given = portsOf(at);
  const files = { ...given.files, write: () => Promise.resolve() };
  const ports = { ...given, files, workspace: { apply: () => Promise.resolve(undefined) } };
  await expect(rejectChanges(ports, [await choice(at, 'file.txt')])).rejects.toThrow(
    `Could not restore ${path} to its earlier state`,
  );
  expect(notices(at)).toEqual([]);
  expect((await reviewOf(at)).isPending).toBe(true);
});

test('nothing is written through a link that the user has put above a file', async () => {
  const at = await scenario({ mode: 'bypass' });
  const outside = join(at.root, '../outside');
  await mkdir(outside);
  await mkdir(join(at.root, 'D'));
  await writeFile(join(at.root, 'D/f'), 'a\n');
  await runCommand(at, 'rm D/f');
  await rm(join(at.root, 'D'), { recursive: true });
  await symlink(outside, join(at.root, 'D'));
  await expect(rejectEach(at, 'D/f')).rejects.toThrow('a symbolic link above it');
  expect(await readdir(outside)).toEqual([]);
});

/** The agent has edited `from/a.txt` and moved its folder; the user has put a line at the top. */
async function moved() {
  const at = await scenario({ mode: 'bypass' });
  await mkdir(join(at.root, 'from'));
  await writeFile(join(at.root, 'from/a.txt'), 'one\ntwo\n');
  await chmod(join(at.root, 'from'), 0o700);
  await runCommand(at, 'echo three >> from/a.txt');
  await runCommand(at, 'mv from to');
  await writeFile(join(at.root, 'to/a.txt'), 'mine\none\ntwo\nthree\n');
  return at;
}

test('a moved file is one change, with its lines: each can be rejected, and all of it is where it was', async () => {
  const at = await moved();
  const review = await reviewOf(at, 'to/a.txt');
  expect(review).toMatchObject({ from: join(at.root, 'from/a.txt'), isPending: true });
  expect(shown(review)).toEqual(['+three']);
  expect((await reviewOf(at, 'from/a.txt')).isPending).toBe(false);
  await rejectChanges(portsOf(at), [{ review, ids: idsOf(review, '+three') }]);
  expect(await readFile(join(at.root, 'to/a.txt'), 'utf8')).toBe('mine\none\ntwo\n');
  expect((await reviewOf(at, 'to/a.txt')).isPending).toBe(true);
  await rejectEach(at, 'to/a.txt');
  expect(await treeOf(at.root)).toEqual({ from: '700', 'from/a.txt': '644 mine\none\ntwo\n' });
  expect(notices(at).at(-1)).toContain(`you had moved it here from ${join(at.root, 'from/a.txt')}`);
  for (const name of ['from/a.txt', 'to/a.txt']) expect((await reviewOf(at, name)).isPending).toBe(false);
});

test('a moved file of which no bytes are kept goes back, and one that is gone cannot be rejected', async () => {
  const at = await scenario({ mode: 'bypass' });
  const large = Buffer.alloc(5_500_000, 'precious line\n');
  for (const name of ['a.csv', 'b.csv']) await writeFile(join(at.root, name), large);
  await runCommand(at, 'mkdir old; mv a.csv old/; chmod 600 old/a.csv; gzip b.csv; echo x > other');
  expect((await reviewOf(at, 'old/a.csv')).from).toBe(join(at.root, 'a.csv'));
  await expect(rejectEach(at, 'old/a.csv', 'b.csv', 'b.csv.gz')).rejects.toThrow(
    /Could not reject .*b\.csv: its previous contents were not stored/,
  );
  expect((await readFile(join(at.root, 'a.csv'))).equals(large)).toBe(true);
  expect((await stat(join(at.root, 'a.csv'))).mode & 0o777).toBe(0o644);
  expect((await readdir(at.root)).sort()).toEqual(['a.csv', 'other']);
  expect(notices(at).join()).toContain(`you had moved it here from ${join(at.root, 'a.csv')}`);
});

test('a moved file is accepted with both its places, its lines without', async () => {
  const at = await moved();
  const review = await reviewOf(at, 'to/a.txt');
  await acceptChanges(portsOf(at), { review, ids: idsOf(review, '+three') });
  expect(await reviewOf(at, 'to/a.txt')).toMatchObject({ hunks: [], isPending: true });
  await acceptChanges(portsOf(at), await choice(at, 'to/a.txt'));
  for (const name of ['from/a.txt', 'to/a.txt']) expect((await reviewOf(at, name)).isPending).toBe(false);
  await runCommand(at, 'rm to/a.txt');
  await rejectEach(at, 'to/a.txt');
  expect(await readFile(join(at.root, 'to/a.txt'), 'utf8')).toBe('mine\none\ntwo\nthree\n');
});

test('where you have put something at the old place of a moved file, the two are two changes', async () => {
  const at = await moved();
  await mkdir(join(at.root, 'from'));
  await writeFile(join(at.root, 'from/a.txt'), 'another\n');
  expect(await reviewOf(at, 'to/a.txt')).toMatchObject({ from: undefined, isPending: true });
  expect((await reviewOf(at, 'from/a.txt')).isPending).toBe(false);
  await rejectEach(at, 'to/a.txt');
  expect(await readFile(join(at.root, 'to/a.txt'), 'utf8')).toBe('mine\none\ntwo\n');
  expect(await readFile(join(at.root, 'from/a.txt'), 'utf8')).toBe('another\n');
  for (const name of ['from/a.txt', 'to/a.txt']) expect((await reviewOf(at, name)).isPending).toBe(false);
});

test('a moved file goes back with an undo, and is moved on', async () => {
  const at = await moved();
  const end = at.session.events.at(-1)?.seq ?? 0;
  await runCommand(at, 'mv to/a.txt last.txt');
  expect(await reviewOf(at, 'last.txt')).toMatchObject({ from: join(at.root, 'from/a.txt') });
  expect((await reviewOf(at, 'to/a.txt')).isPending).toBe(false);
  await at.session.restore({ to: end, plan: await at.session.planRestore(end), choices: new Map() });
  expect(await reviewOf(at, 'to/a.txt')).toMatchObject({ from: join(at.root, 'from/a.txt') });
  await runCommand(at, 'rm to/a.txt');
  expect((await reviewOf(at, 'to/a.txt')).isPending).toBe(false);
  expect((await reviewOf(at, 'from/a.txt')).isPending).toBe(true);
});
