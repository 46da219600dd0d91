import { basename, dirname } from 'node:path';
import type { EventOf, FileChange, FileState, SessionEvent } from '../../protocol/events.ts';
import { isInside } from '../base/paths.ts';
import type { GoneDirectory } from './file-review.ts';

type FilesChanged = EventOf<'files_changed'>;

/** One entry of the log about one path. */
export type PathStep = ChangedStep | ReviewedStep;

interface ChangedStep {
  readonly kind: 'changed';
  readonly seq: number;
  readonly by: FilesChanged['by'];
  readonly before: FileState;
  readonly after: FileState;
  /** The old path if the agent moved the file here, and the new path if the agent moved it away. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Ids of the lines that a rejection took back; undefined for all of them. */
  readonly lines?: readonly string[] | undefined;
  /** A restore or a rejection changed the path after the call began, so `before` is outdated. */
  readonly isOverlapped: boolean;
}

/** Sets `base` as the accepted state of the path, which was `now` at that time. */
interface ReviewedStep {
  readonly kind: 'reviewed';
  readonly seq: number;
  readonly base: FileState;
  readonly now: FileState;
  /** Ids of the accepted lines; undefined for all of them. */
  readonly lines?: readonly string[] | undefined;
}

/** A fold over the log: the steps of each path, oldest first. An import drops all steps before it. */
export class PathSteps {
  readonly #steps = new Map<string, PathStep[]>();
  readonly #begun = new Map<string, number>();
  /** All directories above the paths. */
  readonly #directories = new Set<string>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_started') this.#begun.set(event.id, event.seq);
    if (event.type === 'imported') this.#steps.clear();
    if (event.type === 'reviewed') {
      const { path, seq, base, now, lines } = event;
      this.#stepsOf(path).push({ kind: 'reviewed', seq, base, now, lines });
    }
    if (event.type !== 'files_changed') return;
    const begun = event.by === 'tool' ? this.#begun.get(event.id) : undefined;
    const sources = event.by === 'tool' ? movesIn(event.changes) : new Map<string, string>();
    const targets = new Map([...sources].map(([to, from]) => [from, to]));
    for (const { path, before, after } of event.changes) {
      const steps = this.#stepsOf(path);
      steps.push({
        kind: 'changed',
        seq: event.seq,
        by: event.by,
        before,
        after,
        lines: event.lines,
        from: sources.get(path),
        to: targets.get(path),
        isOverlapped: begun !== undefined && steps.some((step) => isSince(step, begun)),
      });
    }
  }

  of(path: string): readonly PathStep[] {
    return this.#steps.get(path) ?? [];
  }

  /** Directories above the path that the session created, innermost first. */
  madeAbove(path: string): readonly string[] {
    const made: string[] = [];
    for (let parent = dirname(path); this.#found(parent)?.kind === 'absent'; parent = dirname(parent))
      made.push(parent);
    return made;
  }

  /** Directories above the path that the session found and removed, outermost first. */
  goneAbove(path: string): readonly GoneDirectory[] {
    const gone: GoneDirectory[] = [];
    for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
      const found = this.#found(parent);
      if (found?.kind === 'directory') gone.unshift({ path: parent, mode: found.mode });
    }
    return gone;
  }

  /** The state that the session found before it first changed the path. */
  #found(path: string): FileState | undefined {
    const [first] = this.of(path);
    return first?.kind === 'changed' ? first.before : undefined;
  }

  /** The path itself if it has steps, and all such paths below it. */
  within(path: string): readonly string[] {
    const below = this.#directories.has(path)
      ? [...this.#steps.keys()].filter((each) => isAbove(path, each))
      : [];
    return this.#steps.has(path) ? [path, ...below] : below;
  }

  /** The path and all paths that moves connect with it, in either direction. */
  joinedWith(path: string): readonly string[] {
    const joined = new Set([path]);
    // The loop also visits the paths that it adds.
    for (const each of joined)
      for (const step of this.of(each))
        if (step.kind === 'changed')
          for (const other of [step.from, step.to]) if (other !== undefined) joined.add(other);
    return [...joined];
  }

  #stepsOf(path: string): PathStep[] {
    const known = this.#steps.get(path);
    if (known) return known;
    const steps: PathStep[] = [];
    this.#steps.set(path, steps);
    for (let above = dirname(path); !this.#directories.has(above); above = dirname(above))
      this.#directories.add(above);
    return steps;
  }
}

function isAbove(directory: string, path: string): boolean {
  return path !== directory && isInside(directory, path);
}

function isSince(step: PathStep, begun: number): boolean {
  return step.seq > begun && step.kind === 'changed' && step.by !== 'tool';
}

/**
 * Maps new paths to old paths for the files that one call moved. A move is a file that is gone (or became a
 * directory or a link) and a new file with the same content.
 */
export function movesIn(changes: readonly FileChange[]): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  // Among files with the same content, those with the same name are paired first.
  pair(changes, moves, ({ path }, hash) => `${hash} ${basename(path)}`);
  pair(changes, moves, (_, hash) => hash);
  return moves;
}

/** Uses each old path once, in the order of `changes`. */
function pair(
  changes: readonly FileChange[],
  moves: Map<string, string>,
  keyOf: (change: FileChange, hash: string) => string,
): void {
  const taken = new Set(moves.values());
  const gone = new Map<string, string[]>();
  for (const change of changes) {
    const hash = change.after.kind === 'file' ? undefined : movable(change.before);
    if (hash === undefined || taken.has(change.path)) continue;
    const key = keyOf(change, hash);
    const paths = gone.get(key);
    if (paths) paths.push(change.path);
    else gone.set(key, [change.path]);
  }
  for (const paths of gone.values()) paths.reverse();
  for (const change of changes) {
    const hash = change.before.kind === 'absent' ? movable(change.after) : undefined;
    if (hash === undefined || moves.has(change.path)) continue;
    const from = gone.get(keyOf(change, hash))?.pop();
    if (from !== undefined) moves.set(change.path, from);
  }
}

/** The hash that identifies a moved file. Empty files have none, because all are alike. */
function movable(state: FileState): string | undefined {
  return state.kind === 'file' && state.size > 0 && state.hash !== '' ? state.hash : undefined;
}
