import { expect, test } from 'vitest';
import { MovedCommands } from '../../../extension/core/recording/live/moved-commands.ts';

const folders = [
  { names: ['/home/me/repo', '/data/real'], live: '/tmp/s/0/repo', isHere: true },
  { names: ['/home/me/repo/a b'], live: '/tmp/s/1/a b', isHere: true },
];
const commands = new MovedCommands(folders, '/home/me');

test.each([
  ['cat /home/me/repo/a; cd /home/me/repo', 'cat /tmp/s/0/repo/a; cd /tmp/s/0/repo'],
  ['tar -C/home/me/repo -xf -', 'tar -C/tmp/s/0/repo -xf -'],
  ['x --in-dir/home/me/repo $ROOT/home/me/repo', 'x --in-dir/tmp/s/0/repo $ROOT/tmp/s/0/repo'],
  ['cc -I/data/real -L"/data/real/lib"', 'cc -I/tmp/s/0/repo -L"/tmp/s/0/repo/lib"'],
  ['rm ~/repo/x $HOME/repo/x', 'rm /tmp/s/0/repo/x /tmp/s/0/repo/x'],
  [`rm "$\{HOME}/repo/x" "$HOME"/repo/x`, 'rm "/tmp/s/0/repo/x" /tmp/s/0/repo/x'],
  ['rm /home//me/./repo/x', 'rm /tmp/s/0/repo/x'],
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

test('what takes a folder’s place is not moved again', () => {
  const nested = [
    { names: ['/tmp'], live: '/tmp/s/0/tmp', isHere: true },
    { names: ['/tmp/x'], live: '/tmp/s/1/x', isHere: true },
  ];
  expect(new MovedCommands(nested, '/root').toLive('cp /tmp/x/a /tmp')).toBe('cp /tmp/s/1/x/a /tmp/s/0/tmp');
});

test.each([
  'cd ~ && rm -r repo',
  'cd /home/me; ls',
  'ls "$HOME"',
  'rm -r /home/me/*',
  'rm ~/re*/x',
  'cd /data/; ls',
])('%s may reach the recorded folder', (command) =>
  expect(commands.mayReach(commands.toLive(command))).toBe(true),
);

test.each(['~/.cargo/bin/x', 'cat /home/me/other /home/you', 'ls / /homes /tmp ./home', 'cat ~root/x', 'a~'])(
  '%s does not',
  (command) => expect(commands.mayReach(commands.toLive(command))).toBe(false),
);

test('nothing reaches a folder that is not on this machine', () => {
  const elsewhere = folders.map((folder) => ({ ...folder, isHere: false }));
  expect(new MovedCommands(elsewhere, '/home/me').mayReach('cd ~')).toBe(false);
});
