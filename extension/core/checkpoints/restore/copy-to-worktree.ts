import { join, relative } from 'node:path';
import { say } from '../../../protocol/say.ts';
import { isInside } from '../../base/paths.ts';
import { readState } from '../current-state.ts';
import type { FileHistory } from '../file-history.ts';
import { applyRestore } from './apply.ts';
import type { RestorePorts, RestoreTarget } from './types.ts';

/**
 * A folder that a session worked in, with the path of its copy. Without a copy, the reason, as the end of a
 * sentence.
 */
export type CopiedFolder =
  | { readonly folder: string; readonly at: string }
  | { readonly folder: string; readonly whyNot: string };

/**
 * Gives the copy of every path that the session ever changed its state after event `seq`. Changes nothing
 * outside the copies. The first entry of `copied` that contains a path counts. Resolves with the reason for
 * each path whose copy does not have that state.
 */
export async function restoreIntoCopy(
  history: FileHistory,
  seq: number,
  copied: readonly CopiedFolder[],
  ports: RestorePorts,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const origins = new Map<string, string>();
  const wanted: RestoreTarget[] = [];
  for (const path of history.paths) {
    const then = history.stateAt(path, seq);
    const origin = copied.find(({ folder }) => isInside(folder, path));
    if (!origin || 'whyNot' in origin) {
      problems.set(path, origin?.whyNot ?? say('it is not in the copied folder'));
      continue;
    }
    if (then === undefined) continue;
    const target = join(origin.at, relative(origin.folder, path));
    origins.set(target, path);
    wanted.push({ path: target, now: (await readState(ports.files, target)).state, then });
  }
  const failed = await applyRestore(wanted, ports);
  for (const [target, problem] of failed) problems.set(origins.get(target) ?? target, problem);
  return problems;
}
