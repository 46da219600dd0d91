import { delimiter, isAbsolute, join, sep } from 'node:path';
import { isInside } from '../../core/base/paths.ts';

/**
 * The absolute paths where the PATH may have `program`, in its order. Skips folders inside `roots`, because a
 * workspace may have put a program there. Skips `node_modules`, because package managers add the current
 * project's `node_modules/.bin` to the PATH without the user's choice.
 */
export function programsOnPath(program: string, roots: readonly string[]): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.split(sep).includes('node_modules'))
    .filter((folder) => !roots.some((root) => isInside(root, folder)))
    .map((folder) => join(folder, program));
}
