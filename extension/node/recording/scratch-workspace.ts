import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Root } from '../../core/ports/workspace.ts';
import type { KnownFile, KnownFiles } from '../../core/recording/live/known-files.ts';
import { MovedCommands, type MovedFolder } from '../../core/recording/live/remap-commands.ts';
import { MovedPaths } from '../../core/recording/live/remap-paths.ts';
import {
  movedFiles,
  movedScan,
  movedShell,
  movedWorkspace,
  RIGHTS,
} from '../../core/recording/live/remap-ports.ts';
import type { LiveReplayOptions } from '../../core/recording/live/replay-live.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { guardedFiles } from '../fs/guarded-files.ts';
import { nodeFileTree } from '../fs/node-file-tree.ts';
import { realPath } from '../fs/real-path.ts';
import { NodeShell } from '../processes/node-shell.ts';
import { NodeWorkspaceScan } from '../scan/node-workspace-scan.ts';
import { findRipgrep } from '../search/ripgrep-path.ts';
import { createSearch } from '../search/ripgrep-search.ts';
import { NodeWorkspace } from '../workspace.ts';

/** A new folder for `ScratchWorkspace`, without links in its path. */
export async function makeScratch(): Promise<string> {
  const parent = await realpath(tmpdir());
  // At once: whoever removes it when an interrupt comes knows it as soon as it is there.
  return mkdtempSync(join(parent, 'harness-replay-'));
}

/** What a recorded session began with, in a scratch folder. */
export interface LaidOut {
  readonly paths: MovedPaths;
  /** What would run there, by how it was recorded. */
  readonly commands: ReadonlyMap<string, string>;
  /** Recorded roots that are on this machine. */
  readonly here: readonly string[];
  /** Commands that may get there, by what they say. */
  readonly reaching: readonly string[];
  /** Recorded paths of the files that are there. */
  readonly files: readonly string[];
  /** Of those that are missing. */
  readonly missing: readonly string[];
}

/** Puts the files of a recorded session below `scratch`, and nothing anywhere else. Rejects for roots that cannot be moved. */
export async function layOut(
  scratch: string,
  roots: readonly Root[],
  { files, commands }: Pick<KnownFiles, 'files' | 'commands'>,
): Promise<LaidOut> {
  const paths = new MovedPaths(scratch, roots);
  // A folder stands before what lies in it, and a link after all that could be written through it.
  const places = [...files].sort(inOrder).map(([path, file]) => ({ path, file, place: paths.toLive(path) }));
  for (const folder of paths.folders) await mkdir(folder, { recursive: true });
  const [laid, missing]: [string[], string[]] = [[], []];
  for (const { path, file, place } of places) {
    const target = file.kind === 'link' ? paths.targetToLive(path, file.target ?? '') : undefined;
    const isLaid = !paths.isOfGit(place) && (await layOne(place, { ...file, target }));
    if (isLaid && file.kind !== 'directory') laid.push(path);
    if (!isLaid && file.kind !== 'absent') missing.push(path);
  }
  return { paths, ...(await moveCommands(commands, paths, roots)), files: laid, missing };
}

async function moveCommands(
  commands: ReadonlySet<string>,
  { folders }: MovedPaths,
  roots: readonly Root[],
): Promise<Pick<LaidOut, 'commands' | 'here' | 'reaching'>> {
  const moving = await Promise.all(roots.map(folderOf));
  const moved = new MovedCommands(moving, homedir(), process.env);
  const texts = new Map([...commands].map((command) => [command, moved.toLive(command)]));
  return {
    commands: texts,
    here: moving.flatMap(({ names, isHere }) => (isHere ? names.slice(0, 1) : [])),
    reaching: [...texts.values()].filter((text) => moved.mayReach(text)),
  };

  async function folderOf(root: Root, index: number): Promise<MovedFolder> {
    const path = resolve(root.path);
    const isHere = (await ifPresent(stat(path))) !== undefined;
    return { names: [path, await realPath(path)], live: folders[index] ?? '', isHere };
  }
}

function inOrder([path, file]: [string, KnownFile], [other, otherFile]: [string, KnownFile]): number {
  return Number(file.kind === 'link') - Number(otherFile.kind === 'link') || (path < other ? -1 : 1);
}

/** False where what was there is not known, lies behind a link, or is no such thing as can be made. */
async function layOne(place: string, file: KnownFile): Promise<boolean> {
  if ((await realPath(dirname(place))) !== dirname(place)) return false;
  if (file.kind === 'directory') {
    await mkdir(place, { recursive: true });
    return true;
  }
  const isKnown =
    (file.kind === 'file' && file.bytes !== undefined) || (file.kind === 'link' && file.target !== undefined);
  if (!isKnown) return false;
  await mkdir(dirname(place), { recursive: true });
  if (file.kind === 'link') await symlink(file.target ?? '', place);
  else await writeFile(place, file.bytes ?? '', { flag: 'wx' });
  if (file.mode !== undefined && file.kind === 'file') await chmod(place, file.mode & RIGHTS);
  return true;
}

/** Files and commands of what was laid out, asked with the recorded paths. Whoever is done with them closes them. */
export async function scratchPorts(
  scratch: string,
  roots: readonly Root[],
  { paths, commands }: Pick<LaidOut, 'paths' | 'commands'>,
): Promise<{ readonly ports: LiveReplayOptions['ports']; close(): Promise<void> }> {
  const folders = paths.folders.map((path) => ({ name: basename(path), path }));
  const search = createSearch({ ripgrepPath: await findRipgrep(undefined, [...paths.folders]) });
  const scan = new NodeWorkspaceScan({ roots: () => paths.folders, home: join(scratch, 'home') });
  const workspace = new NodeWorkspace(folders, search);
  const ports = {
    workspace: { ...movedWorkspace(workspace, paths), roots },
    shell: movedShell(new NodeShell(), workspace, paths, commands),
    files: movedFiles(
      guardedFiles(nodeFileTree, () => paths.folders),
      workspace,
      paths,
    ),
    scan: movedScan(scan, paths),
  };
  return { ports, close: () => scan.close() };
}
