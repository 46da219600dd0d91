import type { EventDraft, EventOf, FileChange, FileState } from '../../../protocol/events.ts';
import { say } from '../../../protocol/say.ts';
import { versionOf } from '../../base/content-hash.ts';
import type { LogWriter } from '../../log/log-writer.ts';
import type { Root } from '../../ports/workspace.ts';
import { type Changes, type ChangeTracker, toldChanges } from '../change-tracker.ts';
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
  /** Of this session, unique. */
  readonly id: string;
  /** The files become what they were when this event had happened. */
  readonly to: number;
  readonly plan: readonly PlannedRestore[];
  readonly choices: Choices;
  /** The restore that is taken back. */
  readonly redoes?: string | undefined;
  /** The session that goes on with the conversation of then. */
  readonly fork?: string | undefined;
}

export interface RestorerPorts extends RestorePorts, Surroundings {
  readonly changes: Pick<ChangeTracker, 'beginAt'>;
  readonly recorder: Pick<LogWriter, 'append' | 'sync'>;
}

/** What is told of besides the files. */
interface Surroundings {
  readonly roots: readonly Root[];
  /** What `unknownSince` says of it. */
  readonly unknown: readonly string[];
}

/**
 * Makes the files what the plan says, and compares what came of it with what they were. What they were until now is kept
 * before, so that this can be undone too: what is too large for that is left alone. Rejects, and has changed nothing, where
 * it cannot be kept for another reason. Reader and model are told what came of it.
 */
export async function restoreFiles(
  { id, to, plan, choices, redoes, fork }: RestoreRequest,
  ports: RestorerPorts,
): Promise<readonly RestoredFile[]> {
  requireListable(plan);
  const goal = { to, ...(redoes !== undefined && { redoes }), ...(fork !== undefined && { fork }) };
  const end = (files: readonly RestoredFile[], made: Changes = { changes: [] }) =>
    ports.recorder.append(...endOfRestore({ id, goal, files, ...made }, ports));
  const asked = restoreTargets(plan, choices);
  const tracked = await ports.changes.beginAt(asked.map(({ path }) => path)).catch(refuseUnkept);
  const tooLarge = tooLargeOf(tracked.before);
  const intents = intentsOf(
    tracked.before,
    asked.filter(({ path }) => !tooLarge.has(path)),
  );
  await keepIntent({ type: 'checkpoint', id, files: intents, restores: goal }, ports).catch(async (error) => {
    // Nobody watches the editors any longer.
    await toldChanges(() => tracked.changes());
    await end(plan.map(({ path }) => ({ path, outcome: 'failed', reason: error.message })));
    throw error;
  });
  const problems = await applyRestore(asked, ports, tooLarge);
  const made = ownOf(await toldChanges(() => tracked.changes()), intents, problems);
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

/** What a restore removes is kept first, so that Redo brings it back. */
function refuseUnkept(error: Error): never {
  const message = say(
    'Nothing was restored, because Harness could not keep what the restore would remove: {0}',
    error.message,
  );
  throw new Error(message, { cause: error });
}

/** Rejects where the next process would not know of it. */
async function keepIntent(
  intent: Extract<EventDraft, { type: 'checkpoint' }>,
  { recorder }: Pick<RestorerPorts, 'recorder'>,
): Promise<void> {
  if (intent.files.length === 0) return;
  const lines = inParts(intent.files).map((files) => ({ ...intent, files }));
  await recorder.append(...lines);
  await recorder.sync();
}

/** What stands in the log at the end of a restore: what was changed, what came of each file, and what is told of it. */
export function endOfRestore(
  { id, goal, files, changes, uncovered, trouble, interrupted }: EndedRestore,
  { roots, unknown }: Surroundings,
): EventDraft[] {
  const changed = { type: 'files_changed', id, by: 'restore' } as const;
  const told = restoreNotice(files, roots, unknown, interrupted);
  return [
    ...inParts(changes).map((part) => ({ ...changed, changes: part })),
    ...(uncovered === undefined ? [] : [{ ...changed, changes: [], uncovered }]),
    { type: 'restored', id, ...goal, files: [...files], ...(interrupted && { interrupted }) },
    ...(told ? [told] : []),
    ...(trouble === undefined ? [] : [{ type: 'notice' as const, message: trouble }]),
  ];
}

/** Files of one event, and the characters that they take: a line of the log has a limit, and a character up to three bytes. */
const MOST_FILES = 5_000;
const MOST_LISTED = 4_000_000;
/** Bytes of the result of a restore, and what it has of each path beside that: its outcome, and a reason that may name another path. */
const MOST_RESULT = 15_000_000;
const RESULT = 300;

/** The list in parts, each of which fits into one event. */
function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (room < size || parts.at(-1)?.length === MOST_FILES) {
      parts.push([]);
      room = MOST_LISTED;
    }
    parts.at(-1)?.push(item);
    room -= size;
  }
  return parts;
}

/** Throws where the result would be too long for an event: it is one list. */
function requireListable(plan: readonly PlannedRestore[]): void {
  const bytesOf = (path: string) => new TextEncoder().encode(JSON.stringify(path)).length;
  const size = plan.reduce((sum, { path }) => sum + 2 * bytesOf(path) + RESULT, 0);
  if (size > MOST_RESULT)
    throw new Error(
      say('{0} files are more than one restore can take. Restore a later checkpoint first.', plan.length),
    );
}

interface EndedRestore extends Changes {
  readonly id: string;
  readonly goal: RestoreGoal;
  readonly files: readonly RestoredFile[];
  readonly interrupted?: true;
}

/** Why not, of each path whose bytes of now would be lost. */
function tooLargeOf(before: FileStates): ReadonlyMap<string, string> {
  const unkept = [...before].filter(([, state]) => state.kind === 'file' && state.hash === '');
  return new Map(unkept.map(([path]) => [path, say('it is too large to be kept')]));
}

function intentsOf(before: FileStates, wanted: readonly RestoreTarget[]): EventOf<'checkpoint'>['files'] {
  const becomes = new Map(wanted.map(({ path, then, merged }) => [path, merged ? stateOf(merged) : then]));
  return [...before].map(([path, state]) => {
    const next = becomes.get(path);
    return { path, state, ...(next && { becomes: next }) };
  });
}

/** What somebody else has put at a path that did not become what was wanted is no change of the restore. */
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

/** Folders are told apart, so that files are counted alone, and so is what was not there anyway. */
export function marksOf(then: FileState, now: FileState): Pick<RestoredFile, 'folder' | 'absent'> {
  const { kind } = then.kind === 'absent' ? now : then;
  return { ...(kind === 'directory' && { folder: true }), ...(kind === 'absent' && { absent: true }) };
}

/** Nothing is believed: what lies there now is read again. */
async function outcomeOf(
  planned: PlannedRestore,
  { problems, then: thenOf }: { problems: ReadonlyMap<string, string>; then: FileStates },
  { files }: RestorePorts,
): Promise<RestoredFile> {
  const { path, then, now, step } = planned;
  const { state, elsewhere } = await readStateAt(files, path, (above) => thenOf.get(above));
  const reason = linkedReason(planned);
  const told = { path, ...(reason !== undefined && { reason }) };
  if (isSameState(state, then) && elsewhere === undefined) return { ...told, outcome: 'identical' };
  const problem = problems.get(path);
  if (problem !== undefined) return { path, outcome: 'failed', reason: problem };
  if (elsewhere !== undefined) return { path, outcome: 'kept', reason: elsewhere };
  const isMerged = step.kind === 'merge' && hasSameBytes(state, stateOf(step));
  // What was to be taken back, the user has taken back already.
  const isWithoutIt = isUndone(step) && isSameState(state, now);
  if (isMerged || isWithoutIt) return { ...told, ...reasonOf(step), outcome: 'merged' };
  const hasComeToBe = state.kind === 'directory' && now.kind !== 'directory';
  return { path, outcome: 'kept', reason: describeKept(hasComeToBe ? { kind: 'occupied' } : step) };
}

/** What is to be said of a file that becomes what it was, as the end of a sentence. */
export function linkedReason({ now, then, step, isLinked }: PlannedRestore): string | undefined {
  const isWritten = step.kind === 'merge' || (step.kind === 'restore' && !hasSameBytes(now, then));
  if (!isLinked || !isWritten || then.kind !== 'file') return undefined;
  return say('other hard links of it may keep what it held');
}

/** Why it is not quite what it was, as the end of a sentence. */
function reasonOf(step: RestoreStep): Pick<RestoredFile, 'reason'> {
  const why = step.kind === 'merge' || step.kind === 'conflict' ? step.why : undefined;
  return why === undefined ? {} : { reason: why };
}

function stateOf({ bytes, mode }: NonNullable<RestoreTarget['merged']>): FileState {
  return { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode };
}

/** Why a path was, or would be, left alone, as the end of a sentence. */
export function describeKept(step: RestoreStep): string {
  switch (step.kind) {
    case 'unkept':
      return step.why ?? say('its bytes of then are not kept');
    case 'occupied':
      return say('something in it stays');
    case 'conflict':
      return step.why ?? say('it was changed since');
    default:
      return say('it was changed since');
  }
}
