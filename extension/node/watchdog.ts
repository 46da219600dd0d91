// When this process dies without a word, the commands that it runs are to end with it. A small shell watches over them: it
// is told which ones run, and ends those when nobody can tell it anything any more.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { ProcessTree } from './process-tree.ts';

type Watchdog = ChildProcessByStdio<Writable, null, null>;

/**
 * As `endTree` does it: the group, and where there is a /proc, whoever carries the mark. There is no `--` before a group:
 * not every shell takes it.
 */
const SCRIPT = `
trees=
while read -r sign tree; do
  case $sign in
    +) trees="$trees $tree" ;;
    -) kept=
       for other in $trees; do [ "$other" = "$tree" ] || kept="$kept $other"; done
       trees=$kept ;;
  esac
done
[ "$trees" ] || exit 0
for tree in $trees; do kill -TERM "-\${tree%%:*}"; done
sleep 1
for tree in $trees; do
  kill -KILL "-\${tree%%:*}"
  for file in $(grep -alsF "\${tree#*:}" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
`;

let watchdog: Watchdog | undefined;
const running = new Set<string>();

/** Before a command is started: it is watched from its first moment then. */
export function prepareWatch(): void {
  if (process.platform !== 'win32' && !watchdog) start();
}

/** From now on the command ends with this process, whatever becomes of that, until what is returned is called. */
export function watch({ leader, mark }: ProcessTree): () => void {
  if (process.platform === 'win32') return () => {};
  const tree = `${leader}:${mark}`;
  running.add(tree);
  if (watchdog) tell(watchdog, '+', tree);
  else start();
  return () => {
    running.delete(tree);
    if (watchdog) tell(watchdog, '-', tree);
  };
}

function start(): void {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog = child;
  const forget = () => {
    if (watchdog === child) watchdog = undefined;
  };
  // Without it, commands run as before.
  child.once('error', forget);
  child.once('exit', forget);
  child.stdin.on('error', forget);
  // It must not keep this process alive.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  for (const tree of running) tell(child, '+', tree);
}

function tell({ stdin }: Watchdog, sign: '+' | '-', tree: string): void {
  stdin.write(`${sign} ${tree}\n`);
}
