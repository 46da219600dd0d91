import type { FileState } from '../../../protocol/events.ts';
import type { Changed, PathChange } from '../file-history.ts';
import { hasSameBytes, isContent, isDisposable, isSameState } from '../file-state.ts';

type Call = readonly (PathChange & { readonly path: string })[];

/**
 * The paths that may hold in another form what one of `missing` was, each with the path of that: none of these becomes again
 * what it was. `areKept`: their bytes are in the session's blobs. A call that has taken such a file away may have made of it
 * whatever it has made; so may the commands before where a command has taken it away, and all where it was never kept. A
 * command that has only changed it may have made something of it, too. What was overwritten may hold only what was never
 * kept, where a command has done to that what `isLoss` says: else it is another edit. What can be made again holds nothing
 * that is kept.
 */
export function possibleCopiesOf(
  missing: readonly string[],
  areKept: boolean,
  changed: Changed,
  isLoss = isTaken,
): ReadonlyMap<string, string> {
  const gone = lastLoss(missing, changed, isLoss);
  const heirs = new Map(missing.map((path) => [path, path]));
  for (const call of missing.length > 0 ? callsIn(changed) : []) {
    const own = call.filter(({ path, before }) => heirs.has(path) && isContent(before));
    const ofFirst = (is: (change: PathChange) => boolean) => heirs.get(own.find(is)?.path ?? '');
    const isCommand = call.some(({ byCommand }) => byCommand);
    const isBefore = call.some(({ seq }) => seq <= gone.seq);
    const doubt = areKept ? ((isBefore ? gone.path : undefined) ?? ofFirst(isWritten)) : missing[0];
    const makes = ofFirst(isTaken) ?? (isCommand ? doubt : undefined);
    const overwrites = areKept ? undefined : (ofFirst(isTaken) ?? (isCommand ? gone.path : undefined));
    for (const change of call.filter(isWritten)) {
      if (areKept && isDisposable(change.after)) continue;
      const of = isContent(change.before) ? overwrites : makes;
      if (of !== undefined && !heirs.has(change.path)) heirs.set(change.path, of);
    }
  }
  return heirs;
}

/** To which of them a command has done it last, and with which event. */
function lastLoss(
  missing: readonly string[],
  changed: Changed,
  isLoss: (change: PathChange) => boolean,
): { path?: string; seq: number } {
  const losses = missing.flatMap((path) =>
    (changed.get(path) ?? [])
      .filter((change) => change.byCommand && isLoss(change))
      .map(({ seq }) => ({ path, seq })),
  );
  return losses.reduce((last, each) => (each.seq > last.seq ? each : last), { seq: -1 });
}

/** In the order in which they ran. */
function callsIn(changed: Changed): Iterable<Call> {
  const calls = new Map<string, (PathChange & { readonly path: string })[]>();
  const changes = [...changed].flatMap(([path, each]) => each.map((change) => ({ ...change, path })));
  for (const change of changes.sort((one, other) => one.seq - other.seq)) {
    if (change.by !== 'tool') continue;
    const call = calls.get(change.id);
    if (call) call.push(change);
    else calls.set(change.id, [change]);
  }
  return calls.values();
}

function isTaken({ by, before, after }: PathChange): boolean {
  return by === 'tool' && isContent(before) && !isContent(after);
}

/** It holds nothing any more. */
export function isEmptied(change: PathChange): boolean {
  return isTaken(change) || (change.after.kind === 'file' && change.after.size === 0);
}

export function isWritten({ before, after }: PathChange): boolean {
  return isContent(after) && !isSameContent(before, after);
}

function isSameContent(one: FileState, other: FileState): boolean {
  return hasSameBytes(one, other) || isSameState(one, other);
}
