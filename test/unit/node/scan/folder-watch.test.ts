// After the first command, a look at the workspace needs no walk, and finds what a walk would find.
import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NodeWorkspaceScan } from '../../../../extension/node/scan/node-workspace-scan.ts';
import type { ScanLimits } from '../../../../extension/node/scan/report-differences.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const { signal } = new AbortController();

async function place(limits: Partial<ScanLimits> = { walkWorth: Infinity }) {
  const folder = await tempDir();
  const root = join(folder, 'workspace');
  for (const name of ['', 'd', 'd/deep', 'empty']) mkdirSync(join(root, name));
  for (const name of ['a', 'd/f', 'd/deep/g']) writeFileSync(join(root, name), 'old');
  for (const name of ['a', 'd/f']) utimesSync(join(root, name), 1_000, 1_000);
  symlinkSync('a', join(root, 'link'));
  const scan = new NodeWorkspaceScan({
    roots: () => [root],
    home: join(folder, 'home'),
    limits: () => limits,
  });
  onTestFinished(() => scan.close());
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: root });
  /** The paths that a command changes. */
  const scanned = async (command: string) => {
    const begun = await scan.begin(undefined, signal);
    run(command);
    return (await begun.end()).changes.map(({ path }) => path.slice(root.length + 1));
  };
  return { root, scan, run, scanned };
}

/** The folders that are listed from now on. */
function listedFolders(): string[] {
  const listed: string[] = [];
  const { opendirSync } = fs;
  fs.opendirSync = (path, options) => {
    listed.push(String(path));
    return opendirSync(path, options);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.opendirSync = opendirSync;
    syncBuiltinESMExports();
  });
  return listed;
}

/** The watches that this process has, as the kernel counts them. */
function countWatches(): number {
  const infos = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8');
    } catch {
      return ''; // the descriptor of the list itself
    }
  });
  return infos.join('\n').match(/^inotify wd/gm)?.length ?? 0;
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('a folder is watched once, however many commands run, and not after the window has closed', async () => {
    const { scan, run, scanned } = await place();
    const others = countWatches();
    for (const command of ['true', 'true', 'mkdir new', 'true']) await scanned(command);
    expect(countWatches() - others).toBe(5);
    run('rmdir new');
    await scanned('true');
    expect(countWatches() - others).toBe(4);
    await scan.close();
    expect(countWatches()).toBe(others);
  });

  test('after the first command no folder is listed again, whatever files commands or users change', async () => {
    const { root, run, scanned } = await place();
    await scanned('true');
    const listed = listedFolders();
    expect(await scanned('true')).toEqual([]);
    run('echo user > d/deep/g; echo user > d/new');
    expect(await scanned('echo 1 > a; echo 2 > d/more; rm d/new')).toEqual(['a', 'd/more', 'd/new']);
    expect(await scanned('rm d/more')).toEqual(['d/more']);
    expect(listed).toEqual([]);
    expect(await scanned('mkdir made')).toEqual(['made']);
    expect(listed).toContain(root);
  });

  test('a command that takes much longer than a walk is followed by one', async () => {
    const { scanned } = await place({ walkWorth: 0 });
    await scanned('true');
    const listed = listedFolders();
    await scanned('sleep 0.01');
    expect(listed).toHaveLength(4);
  });

  test('a file that is changed by another of its names, outside of the workspace, is found', async () => {
    const { scanned, run } = await place();
    run('ln a ../outside');
    await scanned('true');
    const listed = listedFolders();
    expect(await scanned('echo x > ../outside')).toEqual(['a']);
    expect(listed).toEqual([]);
  });

  test('what a user changed since the last command is what the next one found', async () => {
    const { scan, root, run, scanned } = await place();
    await scanned('true');
    run('printf user > d/f; touch -d @1000 d/f');
    const begun = await scan.begin(undefined, signal);
    run('printf tool > d/f; touch -d @1000 d/f');
    const { changes } = await begun.end();
    expect(changes.map(({ path }) => path)).toEqual([join(root, 'd/f')]);
    expect(String(await changes[0]?.before.bytes?.())).toBe('user');
  });
});

test.each([
  ['printf new > a; touch -d @1000 a', ['a']],
  ['chmod 600 a; chmod 700 d', ['a', 'd']],
  ['ln -sfn d link', ['link']],
  ['rm link; mkdir link; echo x > link/x', ['link', 'link/x']],
  ['mkdir -p n/o; echo x > n/o/p', ['n', 'n/o', 'n/o/p']],
  ['mv d e', ['d', 'd/deep', 'd/deep/g', 'd/f', 'e', 'e/deep', 'e/deep/g', 'e/f']],
  ['mv d/deep empty', ['d/deep', 'd/deep/g', 'empty/deep', 'empty/deep/g']],
  ['rm -r d; echo x > d', ['d', 'd/deep', 'd/deep/g', 'd/f']],
  ['mv d/deep e; rmdir empty; mv e empty', ['d/deep', 'd/deep/g', 'empty/g']],
  ['mv d x; mkdir d; mv x/* d; rmdir x; echo y > d/deep/g', ['d/deep/g']],
  ['ln a empty/b; echo two > empty/b', ['a', 'empty/b']],
  ['git init -q empty; echo x > empty/x', ['empty/x']],
  [
    'mkdir -p node_modules/left; echo x > node_modules/x',
    ['node_modules', 'node_modules/left', 'node_modules/x'],
  ],
])(
  'after a command that does nothing, and after one that does it too, %s is found',
  async (command, changed) => {
    const { root, scanned, run } = await place();
    await scanned('true');
    await scanned('echo x > d/first; rm d/first');
    expect(await scanned(command)).toEqual(changed);
    expect(await scanned('true')).toEqual([]);
    chmodSync(join(root), 0o755);
    run('echo last > a');
    expect(await scanned('echo x > last')).toEqual(['last']);
  },
);

test('more changes than the kernel reports are found, and so is what comes after them', async () => {
  const { scanned } = await place();
  await scanned('true');
  const command = 'i=0; while [ $i -lt 9000 ]; do : > d/f; i=$((i+1)); done; echo 1 > a; echo 2 > d/deep/g';
  expect(await scanned(command)).toEqual(['a', 'd/deep/g', 'd/f']);
  expect(await scanned('echo 3 > a')).toEqual(['a']);
});

test('a folder of the workspace that is replaced is looked at anew', async () => {
  const { root, scanned, run } = await place();
  await scanned('true');
  run(`mv '${root}' '${root}-old'; cp -r '${root}-old' '${root}'`);
  expect(await scanned('echo 1 > a')).toEqual(['a']);
  expect(await scanned('echo 2 > d/f')).toEqual(['d/f']);
});
