import { dirname, join, relative } from 'node:path';
import { say } from '../../protocol/say.ts';
import type { FileTree } from '../ports/file-tree.ts';
import { isInside } from '../tools/is-inside.ts';
import { applyRestore, type Wanted } from './apply-restore.ts';
import type { FileHistory } from './file-history.ts';
import { lookAt, type RestorePorts } from './plan-restore.ts';

/** A copy of folders that a session worked in. */
export interface FolderCopy {
  readonly to: string;
  /** The folders it is a copy of, or of which a part of it is one. The first one that holds a path counts. */
  readonly of: readonly { readonly folder: string; readonly at: string }[];
}

/**
 * Makes in the copy of every path that the session has ever changed what it was after event `seq`, and nothing outside of
 * the copy. Resolves with why not, of each path that is not so.
 */
export async function copyStates(
  history: FileHistory,
  seq: number,
  copy: FolderCopy,
  ports: RestorePorts,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const origins = new Map<string, string>();
  const wanted: Wanted[] = [];
  for (const path of history.paths) {
    const then = history.stateAt(path, seq);
    const target = targetOf(path, copy);
    if (target === undefined) problems.set(path, say('it is not in the copied folder'));
    if (target === undefined || then === undefined) continue;
    origins.set(target, path);
    wanted.push({ path: target, now: (await lookAt(ports.files, target)).state, then });
  }
  const failed = await applyRestore(wanted, { ...ports, files: within(copy.to, ports.files) });
  for (const [target, problem] of failed) problems.set(origins.get(target) ?? target, problem);
  return problems;
}

function targetOf(path: string, { of }: FolderCopy): string | undefined {
  const origin = of.find(({ folder }) => isInside(folder, path));
  return origin && join(origin.at, relative(origin.folder, path));
}

/** Changes nothing that is reached through a link: it may lead out of the folder. */
function within(folder: string, files: FileTree): FileTree {
  const requireInside = async (path: string) => {
    for (let parent = dirname(path); parent !== folder; parent = dirname(parent)) {
      if ((await files.look(parent)).kind === 'link') throw new Error(say('a symbolic link leads to it'));
    }
  };
  return {
    ...files,
    write: async (path, ...rest) => requireInside(path).then(() => files.write(path, ...rest)),
    link: async (path, ...rest) => requireInside(path).then(() => files.link(path, ...rest)),
    makeDirectory: async (path, ...rest) =>
      requireInside(path).then(() => files.makeDirectory(path, ...rest)),
    setMode: async (path, ...rest) => requireInside(path).then(() => files.setMode(path, ...rest)),
    remove: async (path) => requireInside(path).then(() => files.remove(path)),
  };
}
