import {
  REMOVED_IS_KEPT,
  resultSentence,
  untrackedChangesNotice,
  untrackedChangesSince,
} from '../core/checkpoints/restore/notice.ts';
import { linkedReason } from '../core/checkpoints/restore/restore.ts';
import type { PlannedRestore } from '../core/checkpoints/restore/types.ts';
import type { RestoredFile } from '../core/checkpoints/restored-file.ts';
import { isRestored } from '../core/checkpoints/restored-file.ts';
import { MemorySessionLog } from '../core/log/memory-session-log.ts';
import { Session } from '../core/session/session.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import type { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import { UnusableError, UsageError, type VerbOptions } from './arguments.ts';
import { compose } from './compose.ts';
import { EXIT } from './exit-codes.ts';
import { printable } from './printable.ts';

/**
 * Restores the files of a session; with `--dry-run`, prints the plan. Fails if something is left that was
 * not restored, or is not known.
 */
export async function restoreTo(
  store: JsonlSessionStore,
  id: string,
  options: VerbOptions<'restore'>,
): Promise<number> {
  const { to, json } = options;
  if (to === undefined) throw new UsageError('sessions restore requires --to SEQ, the last event to keep');
  const { ports } = await compose(options.cwd, 'ask');
  if (options['dry-run']) return printPlan(await planDryRun(store, id, to, ports), json);
  const session = await Session.open(await store.open(id), ports);
  try {
    requireEvent(session, to);
    const plan = await session.planRestore(to);
    const unknown = untrackedChangesSince(session.events, to);
    return printResult(await session.restore({ to, plan, choices: new Map() }), unknown, json);
  } finally {
    await session.close();
  }
}

interface DryRun {
  readonly plan: readonly PlannedRestore[];
  /** Changes that Harness could not track, one sentence each. */
  readonly unknown: readonly string[];
}

/** Plans a restore and writes nothing. Another process may write the session meanwhile. */
async function planDryRun(
  store: JsonlSessionStore,
  id: string,
  to: number,
  ports: SessionPorts,
): Promise<DryRun> {
  const past = { events: await store.read(id), blobs: store.blobs(id) };
  const log = new MemorySessionLog(id, ports.clock, past);
  const files = ports.files && { ...ports.files, tidy: async () => {} };
  const { scan: _, ...others } = ports;
  const session = await Session.open(log, { ...others, ...(files && { files }) });
  requireEvent(session, to);
  return { plan: await session.planRestore(to), unknown: untrackedChangesSince(session.events, to) };
}

function requireEvent({ id, events }: Session, seq: number): void {
  if (seq > (events.at(-1)?.seq ?? 0)) throw new UnusableError(`there is no event ${seq} in session ${id}`);
}

function printPlan({ plan, unknown }: DryRun, json: boolean): number {
  const files = plan.map((planned) => {
    const { path, step } = planned;
    const reason = (step.kind === 'merge' ? step.why : undefined) ?? linkedReason(planned);
    return { path, step: step.kind, ...(reason !== undefined && { reason }) };
  });
  if (json) print(withUnknown(files, unknown));
  else {
    for (const { path, step, reason } of files)
      print(printable(`${step.padEnd(9)}  ${path}${reason === undefined ? '' : ` (${reason})`}`));
    print(REMOVED_IS_KEPT);
    for (const sentence of unknown) print(printable(untrackedChangesNotice(sentence)));
  }
  return EXIT.done;
}

function printResult(files: readonly RestoredFile[], unknown: readonly string[], json: boolean): number {
  print(json ? withUnknown(files, unknown) : printable(resultSentence(files, [], unknown)));
  return files.every(isRestored) && unknown.length === 0 ? EXIT.done : EXIT.failed;
}

/** One JSON list: the files, then the sentences on changes that are unknown. */
function withUnknown(files: readonly object[], unknown: readonly string[]): string {
  return JSON.stringify([...files, ...unknown.map((sentence) => ({ unknown: sentence }))]);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
