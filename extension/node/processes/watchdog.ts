// Ends running commands if this process dies without cleaning up. A small shell learns which commands run,
// and ends them when its input closes.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

type Watchdog = ChildProcessByStdio<Writable, null, null>;

/**
 * Ends processes like `endTree`: the group and, if there is a /proc, each process with the mark. Omits `--`
 * before a group, because some shells reject it. Of a command that was about to start, only the mark is
 * known.
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
marked() {
  for file in $(grep -alsF "\${2#*:}" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill "$1" "\${pid%/environ}"
  done
}
for tree in $trees; do
  case $tree in
    :*) marked -TERM "$tree" ;;
    *) kill -TERM "-\${tree%%:*}" ;;
  esac
done
sleep 1
for tree in $trees; do
  case $tree in
    :*) ;;
    *) kill -KILL "-\${tree%%:*}" ;;
  esac
  marked -KILL "$tree"
done
`;

let watchdog: Watchdog | undefined;
const running = new Set<string>();

/** A command that the watchdog ends if this process dies. */
export interface Watched {
  /** Call when the command has started. `leader` is the id of its process group. */
  started(leader: number): void;
  /** Call when the command has ended, or could not be started. */
  ended(): void;
}

/** Watches the command that will carry `mark`. Call before the command starts. */
export function watch(mark: string): Watched {
  if (process.platform === 'win32') return UNWATCHED;
  let tree = `:${mark}`;
  const add = (added: string) => {
    running.add(added);
    if (watchdog) notify(watchdog, '+', added);
    else start();
  };
  const remove = (removed: string) => {
    running.delete(removed);
    if (watchdog) notify(watchdog, '-', removed);
  };
  add(tree);
  return {
    started(leader) {
      const before = tree;
      tree = `${leader}:${mark}`;
      add(tree);
      remove(before);
    },
    ended: () => remove(tree),
  };
}

const UNWATCHED: Watched = { started() {}, ended() {} };

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
  // Without a watchdog, commands run as before.
  child.once('error', forget);
  child.once('exit', forget);
  child.stdin.on('error', forget);
  // The watchdog must not keep this process alive.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  for (const tree of running) notify(child, '+', tree);
}

function notify({ stdin }: Watchdog, sign: '+' | '-', tree: string): void {
  stdin.write(`${sign} ${tree}\n`);
}
