// What a person decides of the agent's changes, on real files and a real log.
import { chmod, lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import { acceptChanges, rejectChanges } from '../../extension/core/review/decide.ts';
import type { FileReview } from '../../extension/core/review/file-review.ts';
import { presentFile } from '../../extension/core/review/present-file.ts';
import { SessionReview } from '../../extension/core/review/session-review.ts';
import { nodeFileTree } from '../../extension/node/node-file-tree.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';

/** A review of the session as it is in the log now, as another window would read it. */
async function reviewOf(at: Scenario, name = 'file.txt'): Promise<FileReview> {
  const review = new SessionReview(at.store.blobs(at.session.id));
  review.apply(await at.store.read(at.session.id));
  const path = join(at.root, name);
  const found = await review.file(path, await presentFile(nodeFileTree, path));
  if (!found) throw new Error('never changed');
  return found;
}

function portsOf(at: Scenario) {
  let ids = 0;
  return {
    files: nodeFileTree,
    workspace: at.ports.workspace,
    blobs: at.store.blobs(at.session.id),
    record: (...drafts: readonly EventDraft[]) => at.session.record(...drafts),
    newId: () => `review-${ids++}`,
  };
}

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

/** The agent has edited file.txt. */
async function edited(before: string, after: string) {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file.txt');
  await writeFile(path, before);
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'file.txt' }]),
    calls(2, ['write', { path: 'file.txt', content: after }]),
    says('Done.'),
  );
  await at.session.prompt('Change it', at.settings(model));
  return { at, path };
}

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
  await expect(rejectChanges(portsOf(at), [{ review }])).rejects.toThrow('was changed by you since');
  await rm(blobsOf(at), { recursive: true });
  await acceptChanges(portsOf(at), { review });
  expect((await reviewOf(at)).isPending).toBe(false);
  await runCommand(at, "printf 'y' >> file.txt");
  await rm(blobsOf(at), { recursive: true });
  await expect(rejectChanges(portsOf(at), [{ review: await reviewOf(at) }])).rejects.toThrow('was not kept');
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
  await expect(rejectChanges(portsOf(at), [{ review }])).rejects.toThrow('has changed since');
  await expect(acceptChanges(portsOf(at), { review })).rejects.toThrow('has changed since');
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
