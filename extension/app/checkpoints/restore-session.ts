// Restores files and conversation of a session, and takes that back.

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
  /** The event that is the last one then. */
  readonly seq: number;
  readonly scope: RestoreScope;
  /** What the user has seen and confirmed; without it, what would be done now. */
  readonly plan?: readonly PlannedRestore[] | undefined;
  readonly choices?: Choices | undefined;
  /** The restore that is taken back. */
  readonly redoes?: string | undefined;
}

/** What would be done to files. */
export interface RestorePlan {
  readonly plan: readonly PlannedRestore[];
  /** What was changed and cannot be taken back, since it was never found out: sentences. */
  readonly unknown: readonly string[];
}

/** What came of it. */
export interface Restored {
  readonly session: string;
  readonly seq: number;
  readonly scope: RestoreScope;
  readonly files: readonly RestoredFile[];
  /** As in `RestorePlan`. */
  readonly unknown: readonly string[];
  /** The session that goes on with the conversation. */
  readonly fork?: string | undefined;
  /** “42 files identical to checkpoint.”, and what is otherwise, one line each. */
  readonly message: string;
}

interface Parts {
  readonly open: SessionRegistry;
  /** Of the panel that shows it. */
  readonly sessions: SessionController;
  readonly deleted: { remove(session: string): Promise<unknown> };
}

/** Rejects with `BusyError`, with `SessionBusyError`, or where it could not be undone; nothing has changed then. */
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

/** In the fork, whose model is told what became of the files. */
async function goOn(parts: Parts, fork: string, { files, unknown, message }: Restored): Promise<void> {
  await parts.sessions.show(fork);
  if (files.length === 0) return;
  const toModel = filesPutBack(files, parts.open.roots, unknown);
  await withSession(parts, fork, (open) => open.core.note(message, toModel));
}

/** What it would do to files. */
export function planSession(
  parts: Parts,
  session: string,
  seq: number,
  scope: RestoreScope = 'files',
): Promise<RestorePlan> {
  return withSession(parts, session, (open) => planScope(open, { seq, scope }));
}

/** For the conversation no file is looked at. */
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

/** Takes back the newest run of the session that is shown whose changes of files are still there. */
export async function undoRun(parts: Parts): Promise<Restored> {
  await parts.sessions.whole();
  const { id, log } = parts.sessions.shown.workedOn;
  const { undoTo } = undoStackOf(log.events);
  if (undoTo === undefined) throw new Error(say('There is no change of a file to undo.'));
  const { plan } = await planSession(parts, id, undoTo);
  if (plan.length > 0 && plan.every(({ step }) => leavesAsIs(step) && !isUndone(step)))
    throw new Error(tellKept(plan, parts.open.roots));
  return restoreSession(parts, { session: id, seq: undoTo, scope: 'files', plan });
}

/** Why nothing was put back, path by path. */
function tellKept(plan: readonly PlannedRestore[], roots: readonly Root[]): string {
  const kept = plan.map(({ path, step }) => ({ path, outcome: 'kept' as const, reason: describeKept(step) }));
  return resultSentence(kept, roots, []);
}

/** Takes back the last restore of the session that is shown, or goes back to the session that led here by one. */
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
  throw new Error(say('Nothing was undone in this session.'));
}

/** Undefined where no restore led to the session, or where something was done since that the way back would undo. */
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

/** A rejection is an edit of the user's. */
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
  if (id === '') throw new Error(say('There is no change of a file to undo.'));
  const session = await open.hold(id);
  try {
    return await work(session);
  } finally {
    void open.release(session);
  }
}
