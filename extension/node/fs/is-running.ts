import { errorCode } from './file-errors.ts';

/** Whether a process has this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}
