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
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, type ScenarioOptions, says, scenario } from '../support/scenario.ts';

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
  const { changed } = await bash('mkfifo pipe; echo x > b.txt');
  expect(changed).toEqual(['b.txt: absent file']);
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
    /folders were not looked at: .*more changes/,
  );
});

test('in a folder that an installer makes names are seen, contents are not kept, and that is said', async () => {
  const { at, put, bash, session } = await desk();
  await mkdir(at('node_modules/left'), { recursive: true });
  await put('node_modules/left/index.js', 'old');
  const { before, changed } = await bash('echo newer > node_modules/left/index.js; echo a > a.js');
  expect(changed).toEqual(['a.js: absent file', 'node_modules/left/index.js: file file']);
  const plan = await session.planRestore(before);
  expect(plan.map(({ step }) => step.kind)).toEqual(['restore', 'unkept']);
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
