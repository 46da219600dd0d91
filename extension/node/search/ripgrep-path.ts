import { constants } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { allows } from '../fs/access.ts';
import { programsOnPath } from '../fs/programs-on-path.ts';

const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
const universal = join('@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, binary);
const single = join('@vscode', 'ripgrep', 'bin', binary);

/**
 * Finds the absolute path of a ripgrep; undefined if there is none. Looks in the VS Code at `appRoot`
 * (`vscode.env.appRoot`; VS Code 1.122 moved it), then in the npm package beside the running program, then on
 * the PATH. `roots` are the folders of the workspace, which may have put a program there.
 */
export async function findRipgrep(
  appRoot?: string,
  roots: readonly string[] = [process.cwd()],
): Promise<string | undefined> {
  const candidates = [
    ...(appRoot ? belowAppRoot(appRoot) : []),
    ...(await besideProgram()),
    ...programsOnPath(binary, roots),
  ];
  for (const candidate of candidates) if (await allows(candidate, constants.X_OK)) return candidate;
  return undefined;
}

function belowAppRoot(appRoot: string): string[] {
  const folders = ['node_modules', 'node_modules.asar.unpacked'].map((folder) => join(appRoot, folder));
  return [universal, single].flatMap((path) => folders.map((folder) => join(folder, path)));
}

/** Looks where Node would resolve packages for the script that was started. */
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
