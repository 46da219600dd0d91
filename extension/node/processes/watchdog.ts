// When this process dies without a word, the commands that it runs are to end with it. A small shell watches over them: it
// is told which ones run, and ends those when nobody can tell it anything any more.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

type Watchdog = ChildProcessByStdio<Writable, null, null>;

/**
 * As `endTree` does it: the group, and where there is a /proc, whoever carries the mark. There is no `--` before a group:
 * not every shell takes it. Of a command that was about to start only the mark is known.
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

/** A command that is watched. */
export interface Watched {
  /** It has started; `leader` is the id of its group. */
  started(leader: number): void;
  /** It is none of the watchdog's business any more. */
  ended(): void;
}

/** From now on the command that will carry `mark` ends with this process, whatever becomes of that. */
export function watch(mark: string): Watched {
  if (process.platform === 'win32') return UNWATCHED;
  let tree = `:${mark}`;
  const add = (added: string) => {
    running.add(added);
    if (watchdog) tell(watchdog, '+', added);
    else start();
  };
  const remove = (removed: string) => {
    running.delete(removed);
    if (watchdog) tell(watchdog, '-', removed);
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
