// Determines what unfinished restores and rejections of a dead process did to the files, and which notices
// are missing.
import { dirname } from 'node:path';
import type { EventDraft, EventOf, FileChange, FileState, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { type Changes, describeUnknownChanges } from '../checkpoints/change-tracker.ts';
import { readStateAt } from '../checkpoints/current-state.ts';
import { FileHistory } from '../checkpoints/file-history.ts';
import { isSameState, keepState } from '../checkpoints/file-state.ts';
import { blocks } from '../checkpoints/restore/apply.ts';
import { restoreNotice, untrackedChangesSince } from '../checkpoints/restore/notice.ts';
import { endOfRestore, marksOf } from '../checkpoints/restore/restore.ts';
import type { RestorePorts } from '../checkpoints/restore/types.ts';
import type { RestoredFile, RestoreGoal } from '../checkpoints/restored-file.ts';
import { isRestored } from '../checkpoints/restored-file.ts';
import type { Workspace } from '../ports/workspace.ts';
import { describeRejectedFiles, rejectionNotice } from '../review/rejection-notice.ts';

type Intent = EventOf<'checkpoint'>;
type IntendedFile = Intent['files'][number];

/**
 * Returns the events that end them: what the disk holds now of the changes that they intended. Does not
 * continue their work.
 */
export async function endInterruptedRestores(
  past: readonly SessionEvent[],
  ports: RestorePorts,
  workspace: Pick<Workspace, 'roots'>,
): Promise<readonly EventDraft[]> {
  const found = unended(ownEvents(past));
  const rejected = [...found.rejected];
  const drafts: EventDraft[] = [];
  for (const intent of found.intents) {
    const { id, files, restores, rejects } = intent;
    const made = await changesDone(intent, found.changed.get(id) ?? new Set(), ports);
    if (restores) {
      const outcomes = await outcomesOf(files, restores, past, ports);
      const ended = { id, goal: restores, files: outcomes, ...made, interrupted: true } as const;
      drafts.push(
        ...endOfRestore(ended, { roots: workspace.roots, unknown: untrackedChangesSince(past, restores.to) }),
      );
    } else if (rejects) {
      const isDone = made.changes.some(({ path }) => path === rejects.path);
      if (isDone) rejected.push(rejects.path);
      drafts.push(endOfRejection(id, made, isDone ? rejects.lines : []));
    }
  }
  const restored = found.restored.flatMap(
    ({ files, to }) => restoreNotice(files, workspace.roots, untrackedChangesSince(past, to)) ?? [],
  );
  const notices = rejected.length > 0 ? [rejectionNotice(rejected, describeRejectedFiles(rejected))] : [];
  return [...drafts, ...restored, ...notices];
}

/** `lines` is empty where the rejection was not done. */
function endOfRejection(
  id: string,
  { changes, uncovered }: Changes,
  lines: string[] | undefined,
): EventDraft {
  const reported = uncovered !== undefined && { uncovered };
  return { type: 'files_changed', id, by: 'review', changes: [...changes], lines, ...reported };
}

/**
 * Leaves out the events that a fork copied, because the other session ended its own work. Leaves out imported
 * events, because Harness does not trust what a file claims about this disk.
 */
function ownEvents(past: readonly SessionEvent[]): readonly SessionEvent[] {
  const [start] = past;
  const from = start?.type === 'session_started' ? (start.forkedFrom?.seq ?? 0) : 0;
  const imported = past.findLastIndex(({ type }) => type === 'imported');
  return past.slice(imported + 1).filter(({ seq }) => seq >= from);
}

class Unended {
  readonly #intents = new Map<string, Intent>();
  /** Paths whose change is already in the log, by the id of the restore or rejection. */
  readonly changed = new Map<string, ReadonlySet<string>>();
  /** Restores that no notice to the model followed; `rejected` holds the paths of such rejections. */
  restored: EventOf<'restored'>[] = [];
  rejected: string[] = [];

  get intents(): readonly Intent[] {
    return [...this.#intents.values()];
  }

  apply(event: SessionEvent): void {
    if (event.type === 'checkpoint' && (event.restores || event.rejects)) this.#intend(event);
    else if (event.type === 'files_changed') this.#change(event);
    else if (event.type === 'restored') {
      this.#intents.delete(event.id);
      if (event.files.some(isRestored)) this.restored.push(event);
    } else if (event.type === 'notice' && event.toModel !== undefined)
      [this.restored, this.rejected] = [[], []];
  }

  /** Joins the parts of an intent, because a restore of very many files logs it in several events. */
  #intend(intent: Intent): void {
    const earlier = this.#intents.get(intent.id)?.files ?? [];
    this.#intents.set(intent.id, { ...intent, files: [...earlier, ...intent.files] });
  }

  #change({ id, by, changes, lines }: EventOf<'files_changed'>): void {
    this.changed.set(id, new Set([...(this.changed.get(id) ?? []), ...changes.map(({ path }) => path)]));
    if (by !== 'review') return;
    const path = this.#intents.get(id)?.rejects?.path;
    this.#intents.delete(id);
    if (path !== undefined && lines?.length !== 0) this.rejected.push(path);
  }
}

function unended(events: readonly SessionEvent[]): Unended {
  const found = new Unended();
  for (const event of events) found.apply(event);
  return found;
}

/**
 * The intended changes that were made, in whole or in part. If a path holds anything else, the user has
 * changed it since.
 */
async function changesDone(
  { files, rejects }: Intent,
  known: ReadonlySet<string>,
  ports: RestorePorts,
): Promise<Changes> {
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await ports.files.tidy(folder);
  const changes: FileChange[] = [];
  let uncovered: string | undefined;
  const isCleared = clearedIn(files);
  for (const file of files.filter(({ path }) => !known.has(path))) {
    const { path, state: before, becomes } = file;
    const after = await keepState(ports, path, before).catch((error: Error) => {
      uncovered ??= describeUnknownChanges(error);
    });
    if (!after || isSameState(after, before)) continue;
    const isOnTheWay = rejects && before.kind === 'absent' ? isMoved(after, files) : isCleared(file, after);
    if (!becomes || isSameState(after, becomes) || isOnTheWay) changes.push({ path, before, after });
  }
  return { changes, uncovered };
}

/**
 * Returns a test for a path that was only prepared. Either what stood in the way is gone, or a new directory
 * lacks its final mode.
 */
function clearedIn(files: readonly IntendedFile[]): (file: IntendedFile, after: FileState) => boolean {
  const wanted = files.flatMap(({ path, state: now, becomes: then }) => (then ? [{ path, now, then }] : []));
  const isInTheWay = blocks(wanted);
  return ({ path, state: now, becomes: then }, after) => {
    if (!then) return false;
    if (after.kind === 'directory') return then.kind === 'directory' && now.kind !== 'directory';
    return after.kind === 'absent' && isInTheWay({ path, now, then });
  };
}

/** Whether a file was moved here. A rejection moves a file back before it writes the file. */
function isMoved(after: FileState, files: readonly IntendedFile[]): boolean {
  return files.some(({ state, becomes }) => becomes?.kind === 'absent' && isSameState(state, after));
}

async function outcomesOf(
  files: readonly IntendedFile[],
  { to }: RestoreGoal,
  past: readonly SessionEvent[],
  ports: RestorePorts,
): Promise<readonly RestoredFile[]> {
  const history = FileHistory.of(past);
  const thenOf = (path: string) => history.foundSince(path, to);
  const outcomes: RestoredFile[] = [];
  for (const { path, state: before, becomes } of files) {
    if (!becomes) continue;
    const { state, elsewhere } = await readStateAt(ports.files, path, thenOf);
    const then = thenOf(path);
    const reported = { path, ...marksOf(becomes, before) };
    if (elsewhere !== undefined) outcomes.push({ ...reported, outcome: 'failed', reason: elsewhere });
    else if (then && isSameState(state, then)) outcomes.push({ ...reported, outcome: 'identical' });
    else if (isSameState(state, becomes)) outcomes.push({ ...reported, outcome: 'merged' });
    else outcomes.push({ ...reported, outcome: 'failed', reason: say('Harness was closed before that') });
  }
  return outcomes;
}
