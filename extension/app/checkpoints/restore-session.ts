// Restores files and conversation of a session, and redoes what a restore undid.

import { filesPutBack } from '../../core/checkpoints/restore/fork-notice.ts';
import { resultSentence, untrackedChangesSince } from '../../core/checkpoints/restore/notice.ts';
import { describeKept } from '../../core/checkpoints/restore/restore.ts';
import {
  type Choices,
  isUndone,
  leavesAsIs,
  type PlannedRestore,
} from '../../core/checkpoints/restore/types.ts';
import type { RestoredFile } from '../../core/checkpoints/restored-file.ts';
import { type Redo, undoStackOf } from '../../core/checkpoints/undo-stack.ts';
import type { Root } from '../../core/ports/workspace.ts';
import { checkFork } from '../../core/session/fork.ts';
import { BusyError } from '../../core/session/session.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import type { SessionController } from '../sessions/session-controller.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';

export type RestoreScope = 'files' | 'conversation' | 'both';

export interface RestoreOrder {
  readonly session: string;
  /** The state after this event is restored. */
  readonly seq: number;
  readonly scope: RestoreScope;
  /** The plan that the user confirmed. If undefined, Harness plans from the current files. */
  readonly plan?: readonly PlannedRestore[] | undefined;
  readonly choices?: Choices | undefined;
  /** The id of the restore that this one undoes. */
  readonly redoes?: string | undefined;
}

/** What a restore would do to files. */
export interface RestorePlan {
  readonly plan: readonly PlannedRestore[];
  /** Sentences about changes that Harness did not record and so cannot undo. */
  readonly unknown: readonly string[];
}

/** The result of a restore. */
export interface Restored {
  readonly session: string;
  readonly seq: number;
  readonly scope: RestoreScope;
  readonly files: readonly RestoredFile[];
  /** As in `RestorePlan`. */
  readonly unknown: readonly string[];
  /** The session that continues the conversation. */
  readonly fork?: string | undefined;
  /** “42 files identical to checkpoint.”, then a line for each other file and each `unknown` change. */
  readonly message: string;
}

interface Parts {
  readonly open: SessionRegistry;
  /** The controller of the panel that shows the session. */
  readonly sessions: SessionController;
  readonly deleted: { remove(session: string): Promise<unknown> };
}

/**
 * Rejects with `BusyError` or `SessionBusyError`, or if the restore could not be undone later. Nothing has
 * changed then.
 */
export async function restoreSession(parts: Parts, order: RestoreOrder): Promise<Restored> {
  const { session, seq, scope, choices = new Map(), redoes } = order;
  const restored = await withSession(parts, session, async (open) => {
    if (open.busy) throw new BusyError();
    const { plan, unknown } = await planScope(open, order);
    const fork = scope === 'files' ? undefined : await parts.open.forkAside(session, seq + 1);
    const files = await open.restore({ to: seq, plan, choices, redoes, fork }).catch(async (error) => {
      if (fork !== undefined) await parts.deleted.remove(fork).catch(() => undefined);
      throw error;
    });
    const message = resultSentence(files, parts.open.roots, unknown);
    return { session, seq, scope, files, unknown, fork, message };
  });
  if (restored.fork !== undefined) await goOn(parts, restored.fork, restored);
  return restored;
}

/** Shows the fork, and notes for its model what happened to the files. */
async function goOn(parts: Parts, fork: string, { files, unknown, message }: Restored): Promise<void> {
  await parts.sessions.show(fork);
  if (files.length === 0) return;
  const toModel = filesPutBack(files, parts.open.roots, unknown);
  await withSession(parts, fork, (open) => open.core.note(message, toModel));
}

/** Plans a restore without changing anything. */
export function planSession(
  parts: Parts,
  session: string,
  seq: number,
  scope: RestoreScope = 'files',
): Promise<RestorePlan> {
  return withSession(parts, session, (open) => planScope(open, { seq, scope }));
}

/** The scope `conversation` reads no files. */
async function planScope(
  open: OpenSession,
  { seq, scope, plan }: Pick<RestoreOrder, 'seq' | 'scope' | 'plan'>,
): Promise<RestorePlan> {
  if (scope === 'conversation') {
    checkFork(open.log.events, seq + 1);
    return { plan: [], unknown: [] };
  }
  return {
    plan: plan ?? (await open.core.planRestore(seq)),
    unknown: untrackedChangesSince(open.log.events, seq),
  };
}

/** Afterwards the log has what background commands of the session have changed until now. */
export async function reportBackground(parts: Parts, session: string): Promise<void> {
  if (session !== '') await withSession(parts, session, ({ core }) => core.reportBackground());
}

/** Undoes the newest run of the shown session whose file changes still exist. Rejects if there is none. */
export async function undoRun(parts: Parts): Promise<Restored> {
  await parts.sessions.whole();
  const { id, log } = parts.sessions.shown.workedOn;
  await reportBackground(parts, id);
  const { undoTo } = undoStackOf(log.events);
  if (undoTo === undefined) throw new Error(say('There are no file changes to undo.'));
  const { plan } = await planSession(parts, id, undoTo);
  if (plan.length > 0 && plan.every(({ step }) => leavesAsIs(step) && !isUndone(step)))
    throw new Error(keptSentence(plan, parts.open.roots));
  return restoreSession(parts, { session: id, seq: undoTo, scope: 'files', plan });
}

/** Says for each path why Harness restored nothing. */
function keptSentence(plan: readonly PlannedRestore[], roots: readonly Root[]): string {
  const kept = plan.map(({ path, step }) => ({ path, outcome: 'kept' as const, reason: describeKept(step) }));
  return resultSentence(kept, roots, []);
}

/**
 * Undoes the last restore of the shown session. If a restore of another session created this one, returns to
 * that session.
 */
export async function redoRestore(parts: Parts): Promise<Restored> {
  await parts.sessions.whole();
  const { id, log } = parts.sessions.shown.workedOn;
  const [start] = log.events;
  const fork = start?.type === 'session_started' ? start.forkedFrom : undefined;
  const { redo } = undoStackOf(log.events);
  const isOwn = redo !== undefined && redo.restored.seq >= (fork?.seq ?? 0);
  const back = isOwn || !fork ? undefined : await redoOfFork(parts, id, fork, log.events);
  if (back) return back;
  if (redo) return redoIn(parts, id, redo);
  throw new Error(say('There is nothing to redo in this session.'));
}

/** Undefined if no restore created the session, or if the way back would undo later work. */
async function redoOfFork(
  parts: Parts,
  id: string,
  { session, seq }: { readonly session: string; readonly seq: number },
  events: readonly SessionEvent[],
): Promise<Restored | undefined> {
  if (events.some((event) => event.seq >= seq && isWork(event))) return undefined;
  const first = await withSession(parts, session, async ({ log }) => log.events);
  const led = first.findLast((event) => event.type === 'restored' && event.fork === id);
  if (led?.type !== 'restored') return undefined;
  const { redo } = undoStackOf(first);
  const isLast = redo?.restored.id === led.id;
  if (!isLast && led.files.length > 0) return undefined;
  const done: Restored = isLast
    ? await redoIn(parts, session, redo)
    : { session, seq: led.to, scope: 'conversation', files: [], unknown: [], message: '' };
  await parts.sessions.show(session);
  return done;
}

/** Whether a tool changed files. A rejection is an edit by the user, so it does not count. */
function isWork(event: SessionEvent): boolean {
  return event.type === 'files_changed' && event.by === 'tool';
}

function redoIn(parts: Parts, session: string, { restored, to }: Redo): Promise<Restored> {
  return restoreSession(parts, { session, seq: to, scope: 'files', redoes: restored.id });
}

async function withSession<Result>(
  { open }: Parts,
  id: string,
  work: (session: OpenSession) => Promise<Result>,
): Promise<Result> {
  if (id === '') throw new Error(say('There are no file changes to undo.'));
  const session = await open.hold(id);
  try {
    return await work(session);
  } finally {
    void open.release(session);
  }
}
