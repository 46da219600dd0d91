import type { EventDraft, EventOf, FileChange, FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { versionOf } from '../../base/content-hash.ts';
import type { LogWriter } from '../../log/log-writer.ts';
import type { Root } from '../../ports/workspace.ts';
import { inParts } from '../change-events.ts';
import { type Changes, type ChangeTracker, settledChanges } from '../change-tracker.ts';
import { readStateAt } from '../current-state.ts';
import { type FileStates, hasSameBytes, isSameState } from '../file-state.ts';
import type { RestoredFile, RestoreGoal } from '../restored-file.ts';
import { applyRestore, restoreTargets } from './apply.ts';
import { restoreNotice } from './notice.ts';
import {
  type Choices,
  isUndone,
  type PlannedRestore,
  type RestorePorts,
  type RestoreStep,
  type RestoreTarget,
} from './types.ts';

export interface RestoreRequest {
  /** Unique in this session. */
  readonly id: string;
  /** The files become what they were after this event. */
  readonly to: number;
  readonly plan: readonly PlannedRestore[];
  readonly choices: Choices;
  /** Id of the restore that this one undoes. */
  readonly redoes?: string | undefined;
  /** Id of the session that continues the conversation from that event. */
  readonly fork?: string | undefined;
}

export interface RestorerPorts extends RestorePorts, Surroundings {
  readonly changes: Pick<ChangeTracker, 'beginAt'>;
  readonly writer: Pick<LogWriter, 'append' | 'sync'>;
}

/** What the notice reports in addition to the files. */
interface Surroundings {
  readonly roots: readonly Root[];
  /** What `untrackedChangesSince` returns for the target event. */
  readonly unknown: readonly string[];
}

/**
 * Executes the plan, and compares the resulting files with what they were. Stores their current content
 * first, so that the restore can be undone too; leaves alone what is too large for that. Rejects, with
 * nothing changed, where it cannot store the content for another reason or cannot log its intent. Posts the
 * result to the user and the model.
 */
export async function restoreFiles(
  { id, to, plan, choices, redoes, fork }: RestoreRequest,
  ports: RestorerPorts,
): Promise<readonly RestoredFile[]> {
  requireListable(plan);
  const goal = { to, ...(redoes !== undefined && { redoes }), ...(fork !== undefined && { fork }) };
  const end = (files: readonly RestoredFile[], made: Changes = { changes: [] }) =>
    ports.writer.append(...endOfRestore({ id, goal, files, ...made }, ports));
  const asked = restoreTargets(plan, choices);
  const tracked = await ports.changes.beginAt(asked.map(({ path }) => path)).catch(refuseUnkept);
  const tooLarge = tooLargeOf(tracked.before);
  const intents = intentsOf(
    tracked.before,
    asked.filter(({ path }) => !tooLarge.has(path)),
  );
  await keepIntent({ type: 'checkpoint', id, files: intents, restores: goal }, ports).catch(async (error) => {
    // Ends the watch on the editors, which `beginAt` began.
    await settledChanges(() => tracked.changes());
    await end(plan.map(({ path }) => ({ path, outcome: 'failed', reason: error.message })));
    throw error;
  });
  const problems = await applyRestore(asked, ports, tooLarge);
  const made = ownOf(await settledChanges(() => tracked.changes()), intents, problems);
  const then = new Map(plan.map((one) => [one.path, one.then]));
  const files: RestoredFile[] = [];
  for (const one of plan)
    files.push({
      ...(await outcomeOf(one, { problems, then }, ports)),
      ...marksOf(one.then, one.now),
    });
  await end(files, made);
  return files;
}

/** Harness must store what a restore removes, so that “Redo” can bring it back. */
function refuseUnkept(error: Error): never {
  const message = say(
    'Nothing was restored because Harness could not store what the restore would remove: {0}',
    error.message,
  );
  throw new Error(message, { cause: error });
}

/** Logs what the restore is about to do. Rejects where the next process might not find it in the log. */
async function keepIntent(
  intent: Extract<EventDraft, { type: 'checkpoint' }>,
  { writer }: Pick<RestorerPorts, 'writer'>,
): Promise<void> {
  if (intent.files.length === 0) return;
  const lines = inParts(intent.files).map((files) => ({ ...intent, files }));
  await writer.append(...lines);
  await writer.sync();
}

/** The events at the end of a restore: what it changed, the outcome of each file, and the notices. */
export function endOfRestore(
  { id, goal, files, changes, uncovered, trouble, interrupted }: EndedRestore,
  { roots, unknown }: Surroundings,
): EventDraft[] {
  const changed = { type: 'files_changed', id, by: 'restore' } as const;
  const notice = restoreNotice(files, roots, unknown, interrupted);
  return [
    ...inParts(changes).map((part) => ({ ...changed, changes: part })),
    ...(uncovered === undefined ? [] : [{ ...changed, changes: [], uncovered }]),
    { type: 'restored', id, ...goal, files: [...files], ...(interrupted && { interrupted }) },
    ...(notice ? [notice] : []),
    ...(trouble === undefined ? [] : [{ type: 'notice' as const, message: trouble }]),
  ];
}

/**
 * Limit for the result of a restore, in bytes. `RESULT` estimates the rest of an entry, without the path: the
 * outcome and the reason, which may name a second path.
 */
const MOST_RESULT = 15_000_000;
const RESULT = 300;

/** Throws where the result would be too long for an event, because the result must be one list. */
function requireListable(plan: readonly PlannedRestore[]): void {
  const bytesOf = (path: string) => new TextEncoder().encode(JSON.stringify(path)).length;
  const size = plan.reduce((sum, { path }) => sum + 2 * bytesOf(path) + RESULT, 0);
  if (size > MOST_RESULT)
    throw new Error(
      say('{0} files are too many for one restore. Restore a later checkpoint first.', plan.length),
    );
}

interface EndedRestore extends Changes {
  readonly id: string;
  readonly goal: RestoreGoal;
  readonly files: readonly RestoredFile[];
  readonly interrupted?: true;
}

/** The reason for each path whose current bytes were not stored, and would be lost. */
function tooLargeOf(before: FileStates): ReadonlyMap<string, string> {
  const unkept = [...before].filter(([, state]) => state.kind === 'file' && state.hash === '');
  return new Map(unkept.map(([path]) => [path, say('it is too large to store')]));
}

function intentsOf(before: FileStates, wanted: readonly RestoreTarget[]): EventOf<'checkpoint'>['files'] {
  const becomes = new Map(wanted.map(({ path, then, merged }) => [path, merged ? stateOf(merged) : then]));
  return [...before].map(([path, state]) => {
    const next = becomes.get(path);
    return { path, state, ...(next && { becomes: next }) };
  });
}

/**
 * Leaves out the changes of the user or another program: the restore of the path failed, and the path holds
 * something unwanted.
 */
function ownOf(
  made: Changes,
  intents: EventOf<'checkpoint'>['files'],
  problems: ReadonlyMap<string, string>,
): Changes {
  const becomes = new Map(intents.map((intent) => [intent.path, intent.becomes]));
  const isOwn = ({ path, after }: FileChange) => {
    const wanted = becomes.get(path);
    const isWanted = wanted && (isSameState(after, wanted) || hasSameBytes(after, wanted));
    return !problems.has(path) || after.kind === 'absent' || isWanted;
  };
  return { ...made, changes: made.changes.filter(isOwn) };
}

/** Marks folders, because messages count files without them. Marks paths where nothing was before or now. */
export function marksOf(then: FileState, now: FileState): Pick<RestoredFile, 'folder' | 'absent'> {
  const { kind } = then.kind === 'absent' ? now : then;
  return { ...(kind === 'directory' && { folder: true }), ...(kind === 'absent' && { absent: true }) };
}

/** Reads the path again, so that the outcome does not rely on the steps. */
async function outcomeOf(
  planned: PlannedRestore,
  { problems, then: thenOf }: { problems: ReadonlyMap<string, string>; then: FileStates },
  { files }: RestorePorts,
): Promise<RestoredFile> {
  const { path, then, now, step } = planned;
  const { state, elsewhere } = await readStateAt(files, path, (above) => thenOf.get(above));
  const reason = linkedReason(planned);
  const reported = { path, ...(reason !== undefined && { reason }) };
  if (isSameState(state, then) && elsewhere === undefined) return { ...reported, outcome: 'identical' };
  const problem = problems.get(path);
  if (problem !== undefined) return { path, outcome: 'failed', reason: problem };
  if (elsewhere !== undefined) return { path, outcome: 'kept', reason: elsewhere };
  const isMerged = step.kind === 'merge' && hasSameBytes(state, stateOf(step));
  // The user has already undone what the restore was to undo.
  const isWithoutIt = isUndone(step) && isSameState(state, now);
  if (isMerged || isWithoutIt) return { ...reported, ...reasonOf(step), outcome: 'merged' };
  const hasComeToBe = state.kind === 'directory' && now.kind !== 'directory';
  return { path, outcome: 'kept', reason: describeKept(hasComeToBe ? { kind: 'occupied' } : step) };
}

/** A remark on a rewritten file that has other hard links, as the end of a sentence. */
export function linkedReason({ now, then, step, isLinked }: PlannedRestore): string | undefined {
  const isWritten = step.kind === 'merge' || (step.kind === 'restore' && !hasSameBytes(now, then));
  if (!isLinked || !isWritten || then.kind !== 'file') return undefined;
  return say('other hard links to it may keep the old contents');
}

/** Why the file is not exactly what it was, as the end of a sentence. */
function reasonOf(step: RestoreStep): Pick<RestoredFile, 'reason'> {
  const why = step.kind === 'merge' || step.kind === 'conflict' ? step.why : undefined;
  return why === undefined ? {} : { reason: why };
}

function stateOf({ bytes, mode }: NonNullable<RestoreTarget['merged']>): FileState {
  return { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode };
}

/** Why a path was left alone, or would be, as the end of a sentence. */
export function describeKept(step: RestoreStep): string {
  switch (step.kind) {
    case 'unkept':
      return step.why ?? say('its contents from that point are not stored');
    case 'occupied':
      return say('it contains something that stays');
    case 'conflict':
      return step.why ?? say('it has changed since');
    default:
      return say('it has changed since');
  }
}
