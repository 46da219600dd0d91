import { chmod, lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What each path below a folder is. */
export type Tree = Readonly<Record<string, string>>;

/** Everything below the folder, one line each, also what its owner has closed. */
export async function treeOf(folder: string, prefix = ''): Promise<Tree> {
  const tree: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) {
      tree[prefix + name] = `-> ${await readlink(path)}`;
      continue;
    }
    const mode = stats.mode & 0o7777;
    const needed = stats.isFile() ? 0o400 : 0o500;
    const isOpen = (mode & needed) === needed;
    if (!isOpen) await chmod(path, mode | needed);
    if (stats.isFile())
      tree[prefix + name] = `${mode.toString(8)} ${(await readFile(path)).toString('latin1')}`;
    else Object.assign(tree, { [prefix + name]: mode.toString(8) }, await treeOf(path, `${prefix}${name}/`));
    if (!isOpen) await chmod(path, mode);
  }
  return tree;
}
