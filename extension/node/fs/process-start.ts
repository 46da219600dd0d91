// When processes began, because a later process may have the id of an earlier one.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Linux: field 22 of /proc/PID/stat, the start in clock ticks since boot (proc(5)). Empty on other systems,
 * and for a process that has ended.
 */
export async function startTicksOf(pid: number): Promise<string> {
  try {
    const fields = await statFields(pid);
    return fields[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Identifies a process of this computer, also after a restart of the system. Empty if no such process runs, or
 * if the system does not say.
 */
export async function startOfProcess(pid: number): Promise<string> {
  try {
    if (process.platform === 'darwin') return await startByPs(pid);
    if (process.platform !== 'linux') return '';
    const [state, ...others] = await statFields(pid);
    // A zombie has ended.
    if (state === 'Z' || state === 'X') return '';
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${others[18] ?? ''}`;
  } catch {
    return '';
  }
}

async function startByPs(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
  return stdout.trim();
}

/** “PID (NAME) STATE …”, where NAME may contain any character. Returns the fields from STATE on. */
async function statFields(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
