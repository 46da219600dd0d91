import { expect, test } from 'vitest';
import { MovedCommands } from '../../../../extension/core/recording/live/remap-commands.ts';

const folders = [
  { names: ['/home/me/repo', '/data/real'], live: '/tmp/s/0/repo', isHere: true },
  { names: ['/home/me/repo/a b'], live: '/tmp/s/1/a b', isHere: true },
];
const environment = { FLAVOUR: 'vanilla', PROJECT: '/home/me/repo', OLDPWD: '/home/me', PWD: '/x' };
const commands = new MovedCommands(folders, '/home/me', environment);

test.each([
  ['cat /home/me/repo/a; cd /home/me/repo', 'cat /tmp/s/0/repo/a; cd /tmp/s/0/repo'],
  ['tar -C/home/me/repo -xf -', 'tar -C/tmp/s/0/repo -xf -'],
  ['x --in-dir/home/me/repo $ROOT/home/me/repo', 'x --in-dir/tmp/s/0/repo $ROOT/tmp/s/0/repo'],
  ['cc -I/data/real -L"/data/real/lib"', 'cc -I/tmp/s/0/repo -L"/tmp/s/0/repo/lib"'],
  ['rm ~/repo/x $HOME/repo/x', 'rm /tmp/s/0/repo/x /tmp/s/0/repo/x'],
  [`rm "$\{HOME}/repo/x" "$HOME"/repo/x`, 'rm "/tmp/s/0/repo/x" /tmp/s/0/repo/x'],
  ['rm /home//me/./repo/x', 'rm /tmp/s/0/repo/x'],
  ['curl file:///home/me/repo/x file:/home/me/repo', 'curl file:///tmp/s/0/repo/x file:/tmp/s/0/repo'],
  ['rm /home/me/repo/a\\ b/x "/home/me/repo/a b"', 'rm /tmp/s/1/a\\ b/x "/tmp/s/1/a b"'],
])('%s is moved', (command, moved) => {
  expect(commands.toLive(command)).toBe(moved);
  expect(commands.mayReach(moved)).toBe(false);
});

test('no folder of a longer name is', () => {
  const command =
    'cat /home/me/repository /mnt/home/me/repo a/home/me/repo /home/me/repo.old ~/repo-2 ~me/repo';
  expect(commands.toLive(command)).toBe(command);
});

test('no name in an address is a folder', () => {
  const address = 'curl https://data/real/x //data/real/x';
  expect(commands.toLive(address)).toBe('curl https://data/real/x /tmp/s/0/repo/x');
});

test('what takes a folder’s place is not moved again', () => {
  const nested = [
    { names: ['/tmp'], live: '/tmp/s/0/tmp', isHere: true },
    { names: ['/tmp/x'], live: '/tmp/s/1/x', isHere: true },
  ];
  expect(new MovedCommands(nested, '/root', {}).toLive('cp /tmp/x/a /tmp')).toBe(
    'cp /tmp/s/1/x/a /tmp/s/0/tmp',
  );
});

test.each([
  'cd ~ && rm -r repo',
  'cd /home/me; ls',
  'ls "$HOME"',
  'rm -r /home/me/*',
  'rm ~/re*/x',
  'cd /data/; ls',
  'cd && rm repo/x',
  'cd; ls',
  'cd\nls',
  'cd -',
  'cd "" && ls',
  'cd 2>x',
  'c"d" && ls',
  'pushd && ls',
  'rm /home/me/other/../repo/x',
  'rm ~me/repo/x',
  'X=~ make',
  `rm $\{HOME%/}/repo/x`,
  'rm $PROJECT/x "$OLDPWD/repo/x"',
  'rm $UNSET/home/me/other',
  'cd $UNSET && ls',
  'rm ../x',
  'rm .""./x .\\./x',
  'rm .$UNSET./x $UNSET../x',
  'rm .*/x',
  'cat file://localhost/home/me/other',
  'cc -I/home/me/other --prefix=/home/me/other',
  'git -C.. status',
  'cc -I../include',
  'make -C.{.,}',
  'rm $(cat x) `cat x`',
  "printf $'\\x2fhome'",
  'rm {a,}/home',
  'cat /dev/null/../x',
  '/mnt//home/me/repo',
  'ls /',
])('%s may leave the scratch folder', (command) =>
  expect(commands.mayReach(commands.toLive(command))).toBe(true),
);

test.each([
  'npm test >/dev/null 2>&1; echo $? $FLAVOUR "$UNSET" $$',
  'cd sub && make; cd ./x; cd -- y; cd /home/me/repo/a && ls',
  'git diff main..HEAD~2 -- . src/*/a src/**/*.{ts,tsx}; go test ./...',
  'sed -i \'s/a/b/\' a//b && ls "$PWD" .git',
  'curl https://example.org/home/me',
  '/bin/sh run.sh; /usr/bin/env node x.js',
  'cat a~ ./home --cd record.cd',
  'git log --oneline a-b.. -- x; git range-diff -s main...; grep -e.*',
])('%s does not', (command) => expect(commands.mayReach(commands.toLive(command))).toBe(false));

test('where a folder of that name may lie elsewhere, a name alone is no folder to go to', () => {
  const found = new MovedCommands(folders, '/home/me', { CDPATH: '/home/me' });
  expect(
    ['cd repo', 'cd ./repo', 'cd /home/me/repo'].map((text) => found.mayReach(found.toLive(text))),
  ).toEqual([true, false, false]);
});

test('nothing reaches a folder that is not on this machine', () => {
  const elsewhere = folders.map((folder) => ({ ...folder, isHere: false }));
  expect(new MovedCommands(elsewhere, '/home/me', {}).mayReach('cd ~')).toBe(false);
});
