import { chmod, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Root } from '../core/ports/workspace.ts';
import type { KnownFile } from '../core/recording/live/known-files.ts';
import { MovedPaths } from '../core/recording/live/moved-paths.ts';
import { movedFiles, movedScan, movedShell, movedWorkspace } from '../core/recording/live/moved-ports.ts';
import type { LiveReplayOptions } from '../core/recording/live/replay-live.ts';
import { nodeFileTree } from './node-file-tree.ts';
import { NodeShell } from './node-shell.ts';
import { NodeWorkspace } from './node-workspace.ts';
import { findRipgrep } from './ripgrep-path.ts';
import { createSearch } from './ripgrep-search.ts';
import { NodeWorkspaceScan } from './scan/node-workspace-scan.ts';

/** A new folder for `ScratchWorkspace`, without links in its path. */
export async function makeScratch(): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), 'harness-replay-'));
}

/** Puts the files of a recorded session below `scratch`, and nothing anywhere else. Rejects for roots that cannot be moved. */
export async function layOut(
  scratch: string,
  roots: readonly Root[],
  files: ReadonlyMap<string, KnownFile>,
): Promise<{ readonly paths: MovedPaths; readonly written: number; readonly unknown: readonly string[] }> {
  const paths = new MovedPaths(scratch, roots);
  for (const folder of paths.folders) await mkdir(folder, { recursive: true });
  const unknown: string[] = [];
  let written = 0;
  // A folder stands before what lies in it, and a link after all that could be written through it.
  for (const [path, file] of [...files].sort(inOrder)) {
    if (await layOne(path, file, paths)) written += file.kind === 'directory' ? 0 : 1;
    else if (file.kind !== 'absent') unknown.push(path);
  }
  return { paths, written, unknown };
}

function inOrder([path, file]: [string, KnownFile], [other, otherFile]: [string, KnownFile]): number {
  return Number(file.kind === 'link') - Number(otherFile.kind === 'link') || (path < other ? -1 : 1);
}

/** False where what was there is not known, or no such thing can be made. */
async function layOne(path: string, file: KnownFile, paths: MovedPaths): Promise<boolean> {
  const place = paths.toLive(path);
  if (file.kind === 'directory') {
    await mkdir(place, { recursive: true });
    return true;
  }
  const isKnown =
    (file.kind === 'file' && file.bytes !== undefined) || (file.kind === 'link' && file.target !== undefined);
  if (!isKnown) return false;
  await mkdir(dirname(place), { recursive: true });
  if (file.kind === 'link') await symlink(paths.targetToLive(path, file.target ?? ''), place);
  else await writeFile(place, file.bytes ?? '', { flag: 'wx' });
  if (file.mode !== undefined && file.kind === 'file') await chmod(place, file.mode);
  return true;
}

/** Files and commands of what was laid out, asked with the recorded paths. */
export async function scratchPorts(
  scratch: string,
  roots: readonly Root[],
  paths: MovedPaths,
  commands: ReadonlySet<string>,
): Promise<LiveReplayOptions['ports']> {
  const folders = paths.folders.map((path) => ({ name: basename(path), path }));
  const search = createSearch({ ripgrepPath: await findRipgrep(undefined, [...paths.folders]) });
  const scan = new NodeWorkspaceScan({ roots: () => paths.folders, home: join(scratch, 'home') });
  const workspace = new NodeWorkspace(folders, search);
  return {
    workspace: { ...movedWorkspace(workspace, paths), roots },
    shell: movedShell(new NodeShell(), paths, commands),
    files: movedFiles(nodeFileTree, workspace, paths),
    scan: movedScan(scan, paths),
  };
}
