// Restores files and conversation of a session, and takes that back.
import type { Choices } from '../core/files/apply-restore.ts';
import type { PlannedRestore } from '../core/files/plan-restore.ts';
import { resultSentence } from '../core/files/restore-notice.ts';
import type { RestoredFile } from '../core/files/restorer.ts';
import { undoStackOf } from '../core/files/undo-stack.ts';
import { BusyError } from '../core/session/session.ts';
import type { EventOf } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import type { OpenSession } from './open-session.ts';
import { workspaceRoots } from './vscode-workspace.ts';
import type { WindowParts } from './window.ts';

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

/** What came of it. */
export interface Restored {
  readonly session: string;
  readonly seq: number;
  readonly scope: RestoreScope;
  readonly files: readonly RestoredFile[];
  /** The session that goes on with the conversation. */
  readonly fork?: string | undefined;
  /** “42 files identical to checkpoint.”, and what is otherwise, one line each. */
  readonly message: string;
}

type Parts = Pick<WindowParts, 'open' | 'sessions'>;

/** Rejects with `BusyError`, with `SessionBusyError`, or where it could not be undone; nothing has changed then. */
export function restoreSession(parts: Parts, order: RestoreOrder): Promise<Restored> {
  const { session, seq, scope, choices = new Map(), redoes } = order;
  return withSession(parts, session, async (open) => {
    if (open.busy) throw new BusyError();
    const plan = scope === 'conversation' ? [] : (order.plan ?? (await open.planRestore(seq)));
    const fork = scope === 'files' ? undefined : await parts.sessions.branch(session, seq + 1);
    const files = await open.restore({ to: seq, plan, choices, redoes, fork });
    return { session, seq, scope, files, fork, message: resultSentence(files, workspaceRoots()) };
  });
}

/** What it would do. */
export function planSession(parts: Parts, session: string, seq: number): Promise<readonly PlannedRestore[]> {
  return withSession(parts, session, (open) => open.planRestore(seq));
}

/** Takes back the newest run of the session that is shown whose changes of files are still there. */
export async function undoRun(parts: Parts): Promise<Restored> {
  const { id, log } = parts.sessions.shown;
  const { undoTo } = undoStackOf(log.events);
  if (undoTo === undefined) throw new Error(say('There is no change of a file to undo.'));
  const plan = await planSession(parts, id, undoTo);
  if (plan.length > 0 && !plan.some(({ step }) => MOVES.has(step.kind)))
    throw new Error(say('Nothing was put back: everything was changed since, or is not kept.'));
  return restoreSession(parts, { session: id, seq: undoTo, scope: 'files', plan });
}

const MOVES: ReadonlySet<PlannedRestore['step']['kind']> = new Set(['restore', 'merge', 'identical']);

/** Takes back the last restore of the session that is shown, and goes back to the session that it was done in. */
export async function redoRestore(parts: Parts): Promise<Restored> {
  const { id, log } = parts.sessions.shown;
  const own = undoStackOf(log.events).redo;
  if (own) return redo(parts, id, own);
  const start = log.events[0];
  const from = start?.type === 'session_started' ? start.forkedFrom?.session : undefined;
  const first = from === undefined ? undefined : await lastRestore(parts, from);
  if (from === undefined || first?.restored.fork !== id)
    throw new Error(say('Nothing was undone in this session.'));
  const done = await redo(parts, from, first);
  await parts.sessions.show(from);
  return done;
}

interface Redo {
  readonly restored: EventOf<'restored'>;
  readonly to: number;
}

function redo(parts: Parts, session: string, { restored, to }: Redo): Promise<Restored> {
  return restoreSession(parts, { session, seq: to, scope: 'files', redoes: restored.id });
}

function lastRestore(parts: Parts, session: string): Promise<Redo | undefined> {
  return withSession(parts, session, async ({ log }) => undoStackOf(log.events).redo);
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
