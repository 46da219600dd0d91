import { constants } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { allows } from '../fs/access.ts';

const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
const universal = join('@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, binary);
const single = join('@vscode', 'ripgrep', 'bin', binary);

/**
 * An absolute path of ripgrep: the one of the VS Code at `appRoot` (`vscode.env.appRoot`; VS Code 1.122 moved it), else of
 * the npm package beside the running program, else of the PATH. Never one that `roots`, the workspace's folders, could
 * have brought along. Undefined where there is none.
 */
export async function findRipgrep(
  appRoot?: string,
  roots: readonly string[] = [process.cwd()],
): Promise<string | undefined> {
  const candidates = [
    ...(appRoot ? belowAppRoot(appRoot) : []),
    ...(await besideProgram()),
    ...onPath(roots),
  ];
  for (const candidate of candidates) if (await allows(candidate, constants.X_OK)) return candidate;
  return undefined;
}

function belowAppRoot(appRoot: string): string[] {
  const folders = ['node_modules', 'node_modules.asar.unpacked'].map((folder) => join(appRoot, folder));
  return [universal, single].flatMap((path) => folders.map((folder) => join(folder, path)));
}

/** As Node resolves packages, from the script that was started. */
async function besideProgram(): Promise<string[]> {
  const script = process.argv[1];
  if (script === undefined) return [];
  const start = dirname(await realpath(script).catch(() => script));
  return ancestors(start).flatMap((folder) =>
    [universal, single].map((path) => join(folder, 'node_modules', path)),
  );
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Package managers put the `node_modules/.bin` of the project that they are called in on the PATH: it is no one's choice. */
function onPath(roots: readonly string[]): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.split(sep).includes('node_modules'))
    .filter((folder) => !roots.some((root) => isInside(root, folder)))
    .map((folder) => join(folder, binary));
}
