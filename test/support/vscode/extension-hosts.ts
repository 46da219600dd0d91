import { readdir, readFile } from 'node:fs/promises';
import type { RunningVsCode } from '../../../scripts/lib/vscode/server.d.mts';

/** Ids of the extension hosts that this VS Code has started, and of no other process. Linux alone tells. */
export async function extensionHosts({ pid }: Pick<RunningVsCode, 'pid'>): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    // The second field is the program's name in parentheses, and may hold any character.
    const [, , parent] = stat.slice(stat.lastIndexOf(')')).split(' ');
    if (parent) parents.set(Number(name), Number(parent));
  }
  const own = [...parents.keys()].filter((child) => descends(child, pid, parents));
  const commands = await Promise.all(
    own.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  return own.filter((_, index) => commands[index]?.includes('--type=extensionHost'));
}

function descends(pid: number, from: number, parents: ReadonlyMap<number, number>): boolean {
  for (let id: number | undefined = pid; id !== undefined && id > 1; id = parents.get(id))
    if (id === from) return true;
  return false;
}
