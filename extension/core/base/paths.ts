import { isAbsolute, relative, sep } from 'node:path';

/**
 * `path` is `folder` itself or lies below it. Compared by segments: `/ab` is not inside `/a`. Both absolute.
 */
export function isInside(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}
