import { say } from '../../protocol/say.ts';
import type { Beyond } from '../ports/file-tree.ts';

/** Why nothing is done at a path, as the end of a sentence. */
export function tellBeyond({ at, leadsTo }: Beyond): string {
  return leadsTo === undefined
    ? say('{0} above it is no directory', at)
    : say('through a symbolic link above it, it is now {0}', leadsTo);
}
