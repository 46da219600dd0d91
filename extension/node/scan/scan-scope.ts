import { relative, sep } from 'node:path';
import { isInside } from '../../core/base/paths.ts';

export interface Places {
  readonly roots: readonly string[];
  /** Files and folders that are not looked at, since they are Harness's own. */
  readonly own: readonly string[];
}

/** Whether a walk from one of the folders comes by there. What lies in a folder of the workspace may lie in one of Harness's own, too. */
export function isLookedAt(path: string, { roots, own }: Places): boolean {
  return roots.some((root) => {
    if (root === path || !isInside(root, path)) return false;
    const isHidden = own.some((folder) => isInside(root, folder) && isInside(folder, path));
    return !isHidden && !relative(root, path).split(sep).includes('.git');
  });
}
