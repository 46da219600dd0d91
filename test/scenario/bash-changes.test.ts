// What a command changes stands in the log and can be taken back, whatever it does and whatever Git ignores.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, type ScenarioOptions, says, scenario } from '../support/scenario.ts';
import { treeOf } from '../support/tree-of.ts';

async function desk(options: ScenarioOptions = {}) {
  const made = await scenario({ mode: 'bypass', ...options });
  const { session, root, settings } = made;
  const at = (name: string) => join(root, name);
  const changedBy = (event: SessionEvent | undefined) =>
    event?.type === 'files_changed'
      ? event.changes.map(
          ({ path, before, after }) => `${path.slice(root.length + 1)}: ${before.kind} ${after.kind}`,
        )
      : [];
  return {
    ...made,
    at,
    put: (name: string, content: string | Uint8Array) => writeFile(at(name), content),
    read: (name: string) => readFile(at(name), 'utf8').catch(() => undefined),
    /** Resolves with what the command has changed. */
    bash: async (command: string) => {
      const first = session.events.length + 1;
      await session.prompt(
        'Go on',
        settings(new ScriptedModel(calls(first, ['bash', { command }]), says('Done.'))),
      );
      expectWellFormed(session.events);
      const event = session.events.findLast(({ type, seq }) => type === 'files_changed' && seq >= first);
      return { before: first - 1, changed: changedBy(event), event };
    },
    restore: async (to: number) => {
      const files = await session.restore({ to, plan: await session.planRestore(to), choices: new Map() });
      return new Set(files.map(({ outcome }) => outcome));
    },
  };
}

test('ignored files, deletions, modes, links, renames and new directories are seen, and taken back', async () => {
  const { at, put, read, bash, restore } = await desk();
  await mkdir(at('src/deep'), { recursive: true });
  await mkdir(at('.git'));
  await put('.git/HEAD', 'ref');
  await put('.gitignore', '.env\n');
  await put('.env', 'SECRET=1\n');
  await put('src/gone.txt', 'gone');
  await put('src/tool.sh', 'echo');
  await put('src/deep/old.txt', Buffer.from([0, 255, 1]));
  await symlink('tool.sh', at('src/link'));
  const { before, changed } = await bash(
    'echo X=2 > .env; rm src/gone.txt; chmod 755 src/tool.sh; ln -sfn deep src/link; mv src/deep/old.txt src/new.bin; mkdir -p out/a; echo o > out/a/o; echo x > .git/HEAD',
  );
  expect(changed).toEqual([
    '.env: file file',
    'out: absent directory',
    'out/a: absent directory',
    'out/a/o: absent file',
    'src/deep/old.txt: file absent',
    'src/gone.txt: file absent',
    'src/link: link link',
    'src/new.bin: absent file',
    'src/tool.sh: file file',
  ]);
  expect(await restore(before)).toEqual(new Set(['identical']));
  expect(await read('.env')).toBe('SECRET=1\n');
  expect(await read('src/gone.txt')).toBe('gone');
  expect((await stat(at('src/tool.sh'))).mode & 0o777).toBe(0o644);
  expect(await readlink(at('src/link'))).toBe('tool.sh');
  expect([...(await readFile(at('src/deep/old.txt')))]).toEqual([0, 255, 1]);
  expect((await readdir(at(''))).sort()).toEqual(['.env', '.git', '.gitignore', 'src']);
  expect(await read('.git/HEAD')).toBe('x\n');
});

test.each([
  {
    what: 'a directory gives way to a link',
    command: 'mkdir other; rm -r d; ln -s other d',
    changed: ['d: directory link', 'd/deep: directory absent', 'd/deep/g: file absent', 'd/f: file absent'],
  },
  {
    what: 'a directory gives way to a file',
    command: 'rm -r d; echo x > d',
    changed: ['d: directory file', 'd/deep: directory absent', 'd/deep/g: file absent', 'd/f: file absent'],
  },
  {
    what: 'a directory gives way to what lay in it',
    command: 'mv d/deep/g t; rm -r d; mv t d',
    changed: ['d: directory file', 'd/deep: directory absent', 'd/deep/g: file absent', 'd/f: file absent'],
  },
  {
    what: 'a file gives way to a directory',
    command: 'rm plain; mkdir -p plain/deep; echo x > plain/deep/x',
    changed: ['plain: file directory', 'plain/deep: absent directory', 'plain/deep/x: absent file'],
  },
  {
    what: 'a link gives way to a copy of what it led to',
    command: 'rm link; cp -r d link; echo 2 > link/f',
    changed: [
      'link: link directory',
      'link/deep: absent directory',
      'link/deep/g: absent file',
      'link/f: absent file',
    ],
  },
])('$what: all that lay or lies below is told, and undone and redone', async ({ command, changed }) => {
  const { at, put, bash, restore, session, root } = await desk();
  await mkdir(at('d/deep'), { recursive: true });
  await put('d/f', 'f');
  await put('d/deep/g', 'g');
  await put('plain', 'plain');
  await symlink('d', at('link'));
  const old = await treeOf(root);
  const { before, changed: told } = await bash(command);
  expect(told.filter((line) => !line.startsWith('other'))).toEqual(changed);
  const made = await treeOf(root);
  expect(await restore(before)).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
  const { redo } = undoStackOf(session.events);
  expect(await restore(redo?.to ?? 0)).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(made);
});

test('a command that takes the whole folder away can be undone', async () => {
  const { at, put, bash, restore, root } = await desk();
  await mkdir(at('d'));
  await put('d/f', 'f');
  const old = await treeOf(root);
  const { before, changed } = await bash(`cd /; rm -r '${root}'`);
  expect(changed).toEqual(['d: directory absent', 'd/f: file absent']);
  expect(await restore(before)).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
});

test('a change is seen that leaves size and time as they were', async () => {
  const { at, put, bash, read, restore } = await desk();
  await put('a.txt', 'one');
  await utimes(at('a.txt'), 1_000, 1_000);
  await bash('true');
  const { before, changed } = await bash('printf two > a.txt; touch -d @1000 a.txt');
  expect(changed).toEqual(['a.txt: file file']);
  expect(await restore(before)).toEqual(new Set(['identical']));
  expect(await read('a.txt')).toBe('one');
});

test('of a file that is too large to be kept aside such a change is told, and nothing is made up of what it held', async () => {
  const { at, put, bash, restore } = await desk();
  await put('large', Buffer.alloc(6_000_000, 65));
  await utimes(at('large'), 1_000, 1_000);
  for (const more of ['', '; chmod 755 large']) {
    const command = `seq -f %07g 750000 > large; touch -d @1000 large${more}`;
    const { before, event } = await bash(command);
    expect(event).toMatchObject({
      changes: [{ path: at('large'), before: { hash: '', unkept: true, size: 6_000_000 } }],
      uncovered: 'The previous contents of these changed files (1) were not stored: large.',
    });
    expect(await restore(before)).toEqual(new Set(['kept']));
  }
});

test('a command that changes nothing, or only touches, leaves no trace of files', async () => {
  const { put, bash } = await desk();
  await put('a.txt', 'one');
  expect((await bash('ls; touch a.txt; cp a.txt b.txt; mv b.txt a.txt')).event).toBeUndefined();
});

test('what others change between commands is not the next command’s change', async () => {
  const { at, put, bash } = await desk();
  await put('a.txt', 'one');
  expect((await bash('true')).changed).toEqual([]);
  await put('a.txt', 'by the user');
  await put('new.txt', 'by the user');
  expect((await bash('echo x > b.txt')).changed).toEqual(['b.txt: absent file']);
  const server = spawn('sh', ['-c', 'echo later > later.txt'], { cwd: at('') });
  await once(server, 'exit');
  expect((await bash('rm b.txt')).changed).toEqual(['b.txt: file absent']);
});

test('a command that fails, or is ended because it takes too long, tells what it has changed', async () => {
  const { bash, session, settings, root } = await desk();
  expect((await bash('echo x > a.txt; exit 3')).changed).toEqual(['a.txt: absent file']);
  const model = new ScriptedModel(
    calls(900, ['bash', { command: 'echo y > late.txt; sleep 30' }]),
    says('Done.'),
  );
  await session.prompt('Go on', settings(model, { timeoutMs: 300 }));
  const event = session.events.findLast(({ type }) => type === 'files_changed');
  expect(event?.type === 'files_changed' && event.changes.map(({ path }) => path)).toEqual([
    join(root, 'late.txt'),
  ]);
});

test('pipes and what may not be read do no harm, and a file without leave is recorded without its bytes', async () => {
  const { put, bash, at } = await desk();
  await put('a.txt', 'one');
  await chmod(at('a.txt'), 0o200);
  const { changed, event } = await bash('mkfifo pipe; echo x > b.txt');
  expect(changed).toEqual(['b.txt: absent file']);
  const made =
    'These pipes, sockets or devices (1) were made or removed, and undo leaves them as they are: pipe.';
  expect(event).toMatchObject({ uncovered: made });
  expect((await bash('rm pipe')).event).toMatchObject({ changes: [], uncovered: made });
});

test('what is beyond the budget is told', async () => {
  const { at, bash } = await desk({ scanLimits: { maxEntries: 6, maxChanges: 2 } });
  for (const name of ['a', 'b', 'c']) {
    await mkdir(at(`${name}/deep`), { recursive: true });
    await writeFile(at(`${name}/deep/file`), name);
  }
  const { event, changed } = await bash('echo x > 1; echo x > 2; echo x > 3; rm -r c');
  expect(changed.length).toBe(2);
  expect(event?.type === 'files_changed' && event.uncovered).toMatch(
    /Harness did not check these folders .*\n.*more changes/,
  );
});

test('in a folder that an installer makes names are seen, contents are not kept, and that is said', async () => {
  const { at, put, bash, session, restore, read } = await desk();
  await mkdir(at('node_modules/left'), { recursive: true });
  await put('node_modules/left/index.js', 'old');
  const { before, changed, event } = await bash(
    'echo newer > node_modules/left/index.js; echo n > node_modules/left/new.js; echo a > a.js',
  );
  expect(changed).toEqual([
    'a.js: absent file',
    'node_modules/left/index.js: file file',
    'node_modules/left/new.js: absent file',
  ]);
  expect(event?.type === 'files_changed' && event.uncovered).toBe(
    'The previous contents of these changed files (1) were not stored: node_modules/left/index.js.',
  );
  const plan = await session.planRestore(before);
  expect(plan.map(({ step }) => step.kind)).toEqual(['restore', 'unkept', 'restore']);
  expect(await restore(before)).toEqual(new Set(['identical', 'kept']));
  expect(await read('node_modules/left/new.js')).toBeUndefined();
});

test('a folder that Git keeps is the user’s, whatever its name', async () => {
  const { at, put, read, bash, restore } = await desk();
  await mkdir(at('.git'));
  await put('.gitignore', 'node_modules/\n');
  await mkdir(at('src/target'), { recursive: true });
  await mkdir(at('node_modules'));
  await put('src/target/Main.java', 'old');
  await put('node_modules/a.js', 'old');
  const { before, event } = await bash('echo 2 | tee src/target/Main.java > node_modules/a.js');
  expect(event?.type === 'files_changed' && event.uncovered).toMatch(/not stored: node_modules\/a.js/);
  await restore(before);
  expect(await read('src/target/Main.java')).toBe('old');
  expect(await read('node_modules/a.js')).toBe('2\n');
});

test('what a command makes goes away and comes back however large it is and wherever it lies', async () => {
  const { put, bash, restore, session, root } = await desk({ scanLimits: { maxBytes: 6_500_000 } });
  await put('a.txt', 'a');
  const old = await treeOf(root);
  const { before, event } = await bash(
    'mkdir -p dist src/target; seq -f %07g 750000 > dist/app.bin; echo 1 > src/target/Main.java',
  );
  expect(event?.type === 'files_changed' && event.uncovered).toBeUndefined();
  const made = await treeOf(root);
  expect(await restore(before)).toEqual(new Set(['identical']));
  expect(await treeOf(root)).toEqual(old);
  const { redo } = undoStackOf(session.events);
  await restore(redo?.to ?? 0);
  expect(await treeOf(root)).toEqual(made);
});

test('when no more can be kept aside that is told, and the next change of the same file can be undone', async () => {
  const { put, read, bash, restore } = await desk({ scanLimits: { maxBytes: 1_000 } });
  for (const name of ['a', 'b', 'c']) await put(name, name.repeat(350));
  const first = await bash('echo 1 > a; echo 1 > b; echo 1 > c; echo new > d');
  expect(first.event?.type === 'files_changed' && first.event.uncovered).toBe(
    'The previous contents of these changed files (1) were not stored: c.',
  );
  expect(await restore(first.before)).toEqual(new Set(['identical', 'kept']));
  expect([await read('a'), await read('c'), await read('d')]).toEqual(['a'.repeat(350), '1\n', undefined]);
  for (const text of ['2', '3', '4', '5', '6', '7', '8']) await bash(`printf ${text.repeat(100)} > c`);
  const last = await bash('rm c');
  expect(last.event?.type === 'files_changed' && last.event.uncovered).toBeUndefined();
  expect(await restore(last.before)).toEqual(new Set(['identical']));
  expect(await read('c')).toBe('8'.repeat(100));
});

test('what is not read since there is too much of it is told', async () => {
  const { bash, restore, read } = await desk({ scanLimits: { maxBytes: 100 } });
  const { before, event } = await bash('head -c 200 /dev/zero > large; echo 1 > small');
  expect(event?.type === 'files_changed' && event.uncovered).toBe(
    'The current contents of these changed files (1) were not read: large.',
  );
  expect(await restore(before)).toEqual(new Set(['identical', 'kept']));
  expect((await read('large'))?.length).toBe(200);
});

test('what the user saves, or another session writes, while a command runs is not the command’s change', async () => {
  const { at, put, read, session, settings, ports, root, restore } = await desk();
  await put('typed.txt', 'one\n');
  const before = session.events.length;
  const command = 'echo x > made.txt; while [ ! -e go ]; do sleep 0.02; done; rm go';
  const run = session.prompt(
    'Go on',
    settings(new ScriptedModel(calls(1, ['bash', { command }]), says('Done.'))),
  );
  await expect.poll(() => read('made.txt')).toBe('x\n');
  await put('typed.txt', 'one\nmine\n');
  await put('mine.txt', 'mine');
  await ports.scan?.absorb([at('typed.txt'), at('mine.txt')]);
  await put('go', '');
  await run;
  const event = session.events.findLast(({ type }) => type === 'files_changed');
  expect(event?.type === 'files_changed' && event.changes.map(({ path }) => path)).toEqual([
    join(root, 'made.txt'),
  ]);
  await restore(before);
  expect([await read('typed.txt'), await read('mine.txt'), await read('made.txt')]).toEqual([
    'one\nmine\n',
    'mine',
    undefined,
  ]);
});

test('what commands of two sessions may both have changed is in both logs, said to be in doubt, and undone when the user says so', async () => {
  const { at, put, read, session, settings, store, root, openLog } = await desk();
  const other = await openLog(await store.create({ cwd: root, product: 'test' }));
  const begin = (log: typeof session, command: string) =>
    log.prompt('Go on', settings(new ScriptedModel(calls(1, ['bash', { command }]), says('Done.'))));
  const waitFor = (name: string) => `until [ -e ../${name} ]; do sleep 0.02; done`;
  await put('notes.txt', 'mine');
  const old = await treeOf(root);
  const long = begin(
    session,
    `echo 1 > first; ${waitFor('one')}; echo 2 > second; rm notes.txt; ${waitFor('two')}; echo 3 > third`,
  );
  await expect.poll(() => read('first')).toBe('1\n');
  const short = begin(other, 'echo 4 > fourth; until [ -e second -a ! -e notes.txt ]; do sleep 0.02; done');
  await expect.poll(() => read('fourth')).toBe('4\n');
  await put('../one', '');
  await short;
  await put('../two', '');
  await long;
  const changesOf = (log: typeof session) => {
    const event = log.events.findLast(({ type }) => type === 'files_changed');
    const changes = event?.type === 'files_changed' ? event.changes : [];
    const told = changes.map(({ path, shared }) => [path.slice(root.length + 1), shared === true]);
    return { told: Object.fromEntries(told), uncovered: event?.type === 'files_changed' && event.uncovered };
  };
  const uncovered =
    'A command of another session ran at the same time. Either command may have changed these paths (3): fourth, notes.txt, second.';
  const inBoth = { fourth: true, 'notes.txt': true, second: true };
  expect(changesOf(session)).toEqual({ told: { ...inBoth, first: false, third: false }, uncovered });
  expect(changesOf(other)).toEqual({ told: inBoth, uncovered });
  const tree = await treeOf(root);
  const plan = await other.planRestore(1);
  expect(plan.map(({ step }) => step)).toEqual(
    Array.from(plan, () => ({
      kind: 'conflict',
      why: 'another program that ran at the same time may have changed it',
    })),
  );
  await other.restore({ to: 1, plan, choices: new Map() });
  expect(await treeOf(root)).toEqual(tree);
  const all = await session.planRestore(1);
  const names = Object.keys(inBoth);
  await session.restore({ to: 1, plan: all, choices: new Map(names.map((name) => [at(name), 'restore'])) });
  expect(await treeOf(root)).toEqual(old);
});
