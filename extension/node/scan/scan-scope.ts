import { relative, sep } from 'node:path';
import { isInside } from '../../core/base/paths.ts';

export interface Places {
  readonly roots: readonly string[];
  /** Harness's own files and folders, which a scan skips. */
  readonly own: readonly string[];
}

/**
 * Whether a walk from one of the roots reaches the path. A root may itself lie in one of Harness's own
 * folders.
 */
export function isLookedAt(path: string, { roots, own }: Places): boolean {
  return roots.some((root) => {
    if (root === path || !isInside(root, path)) return false;
    const isHidden = own.some((folder) => isInside(root, folder) && isInside(folder, path));
    return !isHidden && !relative(root, path).split(sep).includes('.git');
  });
}
