import type { EventDraft, EventOf, FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { Recorder } from '../session/recorder.ts';
import { versionOf } from '../tools/version.ts';
import { applyRestore, type Choices, wantedOf } from './apply-restore.ts';
import { ChangeTracker } from './change-tracker.ts';
import { isSameFile, isSameState } from './file-states.ts';
import { lookAt, type PlannedRestore, type RestorePorts, type RestoreStep } from './plan-restore.ts';

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

export type RestoredFile = EventOf<'restored'>['files'][number];

/**
 * Makes the files what the plan says, and compares what came of it with what they were. What they were until now is kept
 * before, so that this can be undone too. Rejects, and has changed nothing, where that cannot be kept.
 */
export async function restoreFiles(
  { id, to, plan, choices, redoes, fork }: RestoreRequest,
  ports: RestorePorts & { readonly recorder: Pick<Recorder, 'append' | 'sync'> },
): Promise<readonly RestoredFile[]> {
  const { recorder } = ports;
  const wanted = wantedOf(plan, choices);
  const tracked = await new ChangeTracker(ports).begin(wanted.map(({ path }) => path));
  const before = [...tracked.before].map(([path, state]) => ({ path, state }));
  if (before.length > 0) {
    await recorder.append({ type: 'checkpoint', id, files: before });
    await recorder.sync();
  }
  const problems = await applyRestore(wanted, ports);
  const { changes } = await tracked.changes();
  const files = await Promise.all(plan.map((planned) => outcomeOf(planned, problems, ports)));
  const links = { ...(redoes !== undefined && { redoes }), ...(fork !== undefined && { fork }) };
  const changed: EventDraft[] =
    changes.length > 0 ? [{ type: 'files_changed', id, by: 'restore', changes: [...changes] }] : [];
  await recorder.append(...changed, { type: 'restored', id, to, files, ...links });
  return files;
}

/** Nothing is believed: what lies there now is read again. */
async function outcomeOf(
  { path, then, step }: PlannedRestore,
  problems: ReadonlyMap<string, string>,
  { files }: RestorePorts,
): Promise<RestoredFile> {
  const { state } = await lookAt(files, path);
  if (isSameState(state, then)) return { path, outcome: 'identical' };
  const problem = problems.get(path);
  if (problem !== undefined) return { path, outcome: 'failed', reason: problem };
  if (step.kind === 'merge' && isSameFile(state, stateOf(step))) return { path, outcome: 'merged' };
  return { path, outcome: 'kept', reason: whyKept(step.kind) };
}

function stateOf({ bytes, mode }: Extract<RestoreStep, { kind: 'merge' }>): FileState {
  return { kind: 'file', hash: versionOf(bytes), size: bytes.length, mode };
}

export function whyKept(step: PlannedRestore['step']['kind']): string {
  switch (step) {
    case 'unkept':
      return say('its bytes of then are not kept');
    case 'occupied':
      return say('it holds files that are not of this session');
    default:
      return say('it was changed since');
  }
}
