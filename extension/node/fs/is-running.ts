import { errorCode } from './file-errors.ts';

/** A process has this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is somebody else's.
    return errorCode(error) === 'EPERM';
  }
}
