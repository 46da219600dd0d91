import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { nearest } from '../../core/base/text/similar-names.ts';
import type { FileSearch } from './file-search.ts';

/** Milliseconds. An error must not wait for a huge folder. */
const MAX_TIME = 1_000;
const MOST_PATHS = 3;
/** Names of a folder that are compared. */
const MOST_NAMES = 5_000;
/** Letters of a name. Each shorter name is similar to many. */
const LEAST_LETTERS = 3;

/** `Workspace.near` on disk: files of that name in other folders, then similar names in the nearest folder. */
export async function nearPaths(
  path: string,
  root: string,
  list: FileSearch['list'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_TIME)]);
  // A hint is not worth another error.
  const [elsewhere, similar] = await Promise.all([
    sameName(path, root, list, bounded).catch(() => []),
    similarNames(path, root).catch(() => []),
  ]);
  return [...new Set([...elsewhere, ...similar])].slice(0, MOST_PATHS);
}

/** The files with the most folders of the wanted path come first. */
async function sameName(
  path: string,
  root: string,
  list: FileSearch['list'],
  signal: AbortSignal,
): Promise<string[]> {
  const name = basename(path).toLowerCase();
  const wanted = new Set(path.slice(root.length).split(sep));
  const shared = (file: string) => file.split('/').filter((folder) => wanted.has(folder)).length;
  const files = await list(root, signal);
  return files
    .filter((file) => file.slice(file.lastIndexOf('/') + 1).toLowerCase() === name)
    .map((file) => ({ file, score: shared(file) }))
    .sort((a, b) => b.score - a.score || a.file.length - b.file.length)
    .slice(0, MOST_PATHS)
    .map(({ file }) => join(root, file));
}

/** Looks in the nearest folder above the path that exists, and no higher than `root`. */
async function similarNames(path: string, root: string): Promise<string[]> {
  const folder = dirname(path);
  const isShort = basename(path).length < LEAST_LETTERS;
  if (folder === path || isShort || !isInside(root, folder)) return [];
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return similarNames(folder, root);
  const visible = names.filter((name) => name !== '.git').slice(0, MOST_NAMES);
  return nearest(basename(path), visible).map((name) => join(folder, name));
}
