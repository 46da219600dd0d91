import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { say } from '../../../protocol/say.ts';
import { isInside } from '../../base/paths.ts';
import type { Root } from '../../ports/workspace.ts';

/** Folders of a recorded session, and those that take their place below a scratch folder. */
export class MovedPaths {
  /** The scratch folders that stand for the roots, in their order. */
  readonly folders: readonly string[];
  readonly #pairs: readonly (readonly [recorded: string, live: string])[];
  readonly #elsewhere: string;
  readonly #scratch: string;

  /** Throws, with a sentence that says why, for roots that nothing can take the place of. */
  constructor(scratch: string, roots: readonly Root[]) {
    this.#scratch = scratch;
    this.#elsewhere = join(scratch, 'elsewhere');
    const pairs = roots
      .map(rootOf)
      .map((path, index) => [path, join(scratch, `${index}`, basename(path))] as const);
    this.folders = pairs.map(([, live]) => live);
    this.#pairs = [...pairs].sort(([one], [other]) => other.length - one.length);
  }

  /**
   * Where the file of a recorded path lies. What was outside of the roots has a place of its own: nothing leads out, however
   * it is written. Throws, with a sentence, for what is no absolute path.
   */
  toLive(recorded: string): string {
    if (!isAbsolute(recorded))
      throw new Error(say('“{0}” is no path of a file: this recording cannot be played here.', recorded));
    const path = resolve(recorded);
    const pair = this.#pairs.find(([root]) => isInside(root, path));
    if (pair) return join(pair[1], relative(pair[0], path));
    return join(this.#elsewhere, path.slice(parse(path).root.length));
  }

  /** Where the link at a recorded path leads. */
  targetToLive(path: string, target: string): string {
    if (isAbsolute(target)) return this.toLive(target);
    return relative(dirname(this.toLive(path)), this.toLive(resolve(dirname(path), target)));
  }

  /** Whether a real path lies in the scratch folder. */
  holds(path: string): boolean {
    return isInside(this.#scratch, path);
  }

  /** Whether a path of the scratch folder is a repository's own: a setting there can name a program, which Git would run. */
  isOfGit(path: string): boolean {
    const steps = relative(this.#scratch, path).toLowerCase().split(sep);
    return steps.some((step) => step.replace(/[. ]+$/, '') === '.git');
  }

  /** A path or a text of the scratch folder, as it would have been in the recorded place. */
  toRecorded(text: string): string {
    // No other text has the name of the scratch folder.
    const moved = this.#pairs.reduce(
      (current, [recorded, live]) => current.replaceAll(live, () => recorded),
      text,
    );
    return moved.replaceAll(`${this.#elsewhere}${sep}`, sep).replaceAll(this.#elsewhere, sep);
  }

  /** The same for a text that comes in pieces: what may be the beginning of a folder waits for the rest. */
  stream(tell: (text: string) => void): { add(text: string): void; end(): void } {
    const names = [...this.folders, `${this.#elsewhere}${sep}`];
    let waiting = '';
    return {
      add: (text) => {
        const all = waiting + text;
        const length = all.length - openEnd(all, names);
        waiting = all.slice(length);
        if (length > 0) tell(this.toRecorded(all.slice(0, length)));
      },
      end: () => {
        if (waiting !== '') tell(this.toRecorded(waiting));
        waiting = '';
      },
    };
  }
}

function rootOf({ path }: Root): string {
  const root = resolve(path);
  if (isAbsolute(path) && root !== parse(root).root) return root;
  throw new Error(say('“{0}” cannot be stood in for by a scratch folder on this system.', path));
}

/** How many characters at the end may be the beginning of one of these names. */
function openEnd(text: string, names: readonly string[]): number {
  const longest = Math.min(text.length, Math.max(...names.map(({ length }) => length)));
  for (let length = longest; length > 0; length -= 1) {
    const end = text.slice(-length);
    if (names.some((name) => name.startsWith(end))) return length;
  }
  return 0;
}
