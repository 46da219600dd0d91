// What a call finds and what it leaves stands in the log, with the bytes beside it.
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../extension/core/base/content-hash.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { EventOf, EventType, SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';

const hashOf = (text: string) => versionOf(Buffer.from(text));
const fileOf = (text: string, mode = 0o644) => ({
  kind: 'file',
  hash: hashOf(text),
  size: text.length,
  mode,
});
const ABSENT = { kind: 'absent' };

async function perform(at: Scenario, ...wanted: readonly (readonly [string, Record<string, unknown>])[]) {
  const model = new ScriptedModel(calls(1, ...wanted), says('Done.'));
  model.tools = ['apply_patch'];
  await at.session.prompt('Go on', at.settings(model));
  expectWellFormed(at.session.events);
}

function only<T extends EventType>(events: readonly SessionEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> & SessionEvent => event.type === type);
}

function changesIn({ session, root }: Scenario) {
  const changes = only(session.events, 'files_changed').flatMap((event) => event.changes);
  return Object.fromEntries(
    changes.map(({ path, before, after }) => [path.slice(root.length + 1), [before, after]]),
  );
}

test('a new file is there with the directories that were made for it, in order around the call', async () => {
  const at = await scenario({ mode: 'bypass' });
  await perform(at, ['write', { path: 'a/b/new.txt', content: 'one' }]);
  const types = at.session.events.map(({ type }) => type);
  const from = types.indexOf('checkpoint');
  expect(types.slice(from, from + 4)).toEqual(['checkpoint', 'tool_started', 'files_changed', 'tool_result']);
  expect(only(at.session.events, 'checkpoint')[0]?.files.map(({ state }) => state)).toEqual([
    ABSENT,
    ABSENT,
    ABSENT,
  ]);
  const directory = { kind: 'directory', mode: 0o755 };
  expect(changesIn(at)).toEqual({
    a: [ABSENT, directory],
    'a/b': [ABSENT, directory],
    'a/b/new.txt': [ABSENT, fileOf('one')],
  });
});

test('the bytes of before and after are kept, of a binary file and its mode too', async () => {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'tool');
  await writeFile(path, 'a\0b');
  await chmod(path, 0o755);
  await perform(at, ['move', { source: 'tool', destination: 'bin/tool' }]);
  expect(changesIn(at)).toMatchObject({
    tool: [fileOf('a\0b', 0o755), ABSENT],
    'bin/tool': [ABSENT, fileOf('a\0b', 0o755)],
  });
  const bytes = await at.store.blobs(at.session.id).get(hashOf('a\0b'));
  expect(Buffer.from(bytes).toString()).toBe('a\0b');
});

test('what a move overwrites, and all that is in a directory which it moves, is kept', async () => {
  const at = await scenario({ mode: 'bypass' });
  await mkdir(join(at.root, 'from/.git'), { recursive: true });
  await writeFile(join(at.root, 'from/.git/HEAD'), 'ref');
  await writeFile(join(at.root, 'from/one'), '1');
  await symlink('one', join(at.root, 'from/link'));
  await writeFile(join(at.root, 'x'), 'x');
  await writeFile(join(at.root, 'y'), 'y');
  await perform(
    at,
    ['move', { source: 'from', destination: 'to' }],
    ['move', { source: 'x', destination: 'y' }],
  );
  const directory = { kind: 'directory', mode: 0o755 };
  const link = { kind: 'link', target: 'one' };
  expect(changesIn(at)).toEqual({
    from: [directory, ABSENT],
    'from/one': [fileOf('1'), ABSENT],
    'from/link': [link, ABSENT],
    to: [ABSENT, directory],
    'to/one': [ABSENT, fileOf('1')],
    'to/link': [ABSENT, link],
    x: [fileOf('x'), ABSENT],
    y: [fileOf('y'), fileOf('x')],
  });
});

test('a patch tells of every file, and what an editor has made of a text is what stands there', async () => {
  const at = await scenario({ mode: 'bypass' });
  await writeFile(join(at.root, 'old'), 'old\n');
  await writeFile(join(at.root, 'gone'), 'gone\n');
  const { apply } = at.ports.workspace;
  at.ports.workspace.apply = async (change) => {
    const version = await apply.call(at.ports.workspace, change);
    if (change.kind !== 'write') return version;
    await writeFile(change.path, `${await readFile(change.path, 'utf8')}// formatted\n`);
    return hashOf('whatever');
  };
  const input = `*** Begin Patch
*** Add File: added
+added
*** Delete File: gone
*** Update File: old
*** Move to: moved
@@
-old
+new
*** End Patch`;
  await perform(at, ['apply_patch', { input }]);
  expect(changesIn(at)).toEqual({
    added: [ABSENT, fileOf('added\n// formatted\n')],
    gone: [fileOf('gone\n'), ABSENT],
    old: [fileOf('old\n'), ABSENT],
    moved: [ABSENT, fileOf('new\n// formatted\n')],
  });
});

test('a call that fails in its middle tells what it has changed all the same', async () => {
  const at = await scenario({ mode: 'bypass' });
  at.ports.workspace.apply = async (change) => {
    if (change.kind === 'write') await writeFile(change.path, 'half');
    throw new Error('the disk went away');
  };
  await perform(at, ['write', { path: 'file', content: 'whole' }]);
  expect(changesIn(at)).toEqual({ file: [ABSENT, fileOf('half')] });
});

test('a call that only reads, or is denied, leaves no trace of files', async () => {
  const at = await scenario({ answer: () => ({ decision: 'deny' }) });
  await writeFile(join(at.root, 'file'), 'one\n');
  await perform(at, ['read', { path: 'file' }], ['write', { path: 'file', content: 'two' }]);
  expect(at.session.events.filter(({ type }) => /^(checkpoint|files_changed)$/.test(type))).toEqual([]);
});

test('where the bytes cannot be kept, the call does not run', async () => {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file');
  await writeFile(path, 'one');
  await writeFile(join(at.root, '../home/sessions', at.session.id, 'blobs'), 'no folder');
  await perform(at, ['read', { path }], ['write', { path, content: 'two' }]);
  expect(await readFile(path, 'utf8')).toBe('one');
  const results = only(at.session.events, 'tool_result');
  expect(results.at(-1)?.result).toMatch(/not run: .* could not be undone/);
});
